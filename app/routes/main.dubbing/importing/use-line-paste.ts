import { useState } from "react";
import { toSpokenText } from "~/features/pasted/spoken-text";
import type { Script } from "../editor/script";
import type { ScriptStore } from "../editor/store";
import { parseScript } from "./parse-script";
import type { PendingImport } from "./pending-import";

interface TidiedPaste {
  /** With the pasted text; the offer ends when it is edited. */
  script: Script;
  /** Replaces it by the text as it was pasted. */
  putAsIs(): void;
}

/** Pastes into a line what is to be spoken of a text, and offers the text as it was. */
export function useLinePaste(store: ScriptStore, add: (pending: PendingImport) => void) {
  const [tidied, setTidied] = useState<TidiedPaste | null>(null);
  return {
    tidied,
    /** After a pending import has been added to the script. */
    offerAsIs({ raw, spot }: PendingImport) {
      if (raw === undefined) return;
      const putAsIs = () => {
        store.undo();
        add({ lines: parseScript(raw), spot, title: "" });
      };
      setTidied({ script: store.get(), putAsIs });
    },
    /** Imports text over a range of a line; false for a single row as it is, which the field inserts itself. */
    pasteRows(id: string, text: string, from: number, to: number): boolean {
      const spoken = toSpokenText(text);
      const isTidied = spoken !== text;
      const lines = parseScript(spoken);
      const content = store.get().lines.find((line) => line.id === id)?.content ?? "";
      if (lines.length > 1 || lines[0]?.startMs !== undefined) {
        add({ lines, spot: { id, from, to, content }, title: "", ...(isTidied && { raw: text }) });
        return true;
      }
      const insert = (words: string) =>
        store.edit(
          { type: "text", id, content: content.slice(0, from) + words + content.slice(to) },
          { id, at: from + words.length },
        );
      if (isTidied) {
        insert(spoken);
        setTidied({ script: store.get(), putAsIs: () => insert(text.replace(/\s+/g, " ")) });
      }
      return isTidied;
    },
  };
}
