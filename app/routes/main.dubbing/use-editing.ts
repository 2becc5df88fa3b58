import { useRef } from "react";
import { editorCopy } from "~/copy/dubbing";
import { dubbingRecordsCopy } from "~/copy/dubbing-records";
import { notify } from "~/features/toasts/notify";
import type { Dub } from "~server/bff/generations.server";
import { toScript } from "./dub";
import { snapOffset } from "./editor/edits";
import { pauseMark } from "./editor/pieces";
import { createLine, toDelivery } from "./editor/script";
import type { Caret } from "./editor/store";
import type { DubSession } from "./use-dub-session";

/** The edits that the page's buttons make. */
export function useEditing({ editor: { store }, cast, generation, selection }: DubSession) {
  const caret = useRef<Caret | null>(null);
  return {
    onCaret(at: Caret) {
      caret.current = at;
    },
    addLine() {
      const last = store.get().lines.at(-1);
      const added = createLine({ ...(last && toDelivery(last)), roleId: last?.roleId || cast.defaultRoleId() });
      store.edit({ type: "insert", after: last?.id ?? null, lines: [added] }, { id: added.id, at: 0 });
    },
    /** Inserts at the caret, or where it was last. */
    insertPause(seconds: number) {
      const { lines } = store.get();
      const line = lines.find(({ id }) => id === caret.current?.id) ?? lines[0];
      if (!line) return;
      const at = snapOffset(line.content, line.id === caret.current?.id ? caret.current.at : 0);
      const mark = pauseMark(seconds);
      const content = line.content.slice(0, at) + mark + line.content.slice(at);
      store.edit({ type: "text", id: line.id, content }, { id: line.id, at: at + mark.length });
    },
    startOver() {
      const lines = [createLine({ roleId: cast.defaultRoleId() })];
      store.edit({ type: "replace", script: { title: "", lines } });
      selection.select(null);
      notify({ kind: "info", text: editorCopy.startedOver });
    },
    /** Replaces the script by a dub's. */
    openDub(dub: Dub) {
      const { script, speakers } = toScript(dub);
      cast.addSpeakers(speakers);
      generation.follow(dub);
      store.edit({ type: "replace", script });
      selection.select(dub.dubbId);
      notify({ kind: "info", text: dubbingRecordsCopy.replaced });
      window.scrollTo({ top: 0 });
    },
  };
}

export type Editing = ReturnType<typeof useEditing>;
