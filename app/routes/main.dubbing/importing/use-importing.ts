import { useState } from "react";
import { editorCopy, importCopy } from "~/copy/dubbing";
import { notify } from "~/features/toasts/notify";
import { scriptLinesMax } from "~server/contract/limits";
import { isBlank } from "../editor/script";
import type { ScriptStore } from "../editor/store";
import type { Cast } from "../use-cast";
import type { NameDecisions } from "./cast";
import { openScriptFile } from "./open-file";
import { type ParsedLine, parseScript } from "./parse-script";
import { type ImportMode, importLines, type PendingImport } from "./pending-import";
import { usePendingImports } from "./use-pending-imports";

/** Imports pasted text and opened files into the script. */
export function useImporting(store: ScriptStore, cast: Cast, isLoggedIn: boolean) {
  const [openingFile, setOpeningFile] = useState<string | null>(null);
  const hasText = () => store.get().lines.some((line) => !isBlank(line));

  const addToScript = (pending: PendingImport, decisions: NameDecisions, mode: ImportMode) => {
    const { script, imported } = importLines(store.get(), pending, {
      decisions,
      mode: hasText() ? mode : "replace",
      defaultRoleId: cast.defaultRoleId(),
    });
    const excess = script.lines.length - scriptLinesMax;
    const last = imported[imported.length - 1];
    const limited = { ...script, lines: script.lines.slice(0, scriptLinesMax) };
    store.edit({ type: "replace", script: limited }, last && { id: last.id, at: last.content.length });
    if (excess > 0) notify({ kind: "warning", text: editorCopy.tooMany(excess) });
    else notify({ kind: "success", text: editorCopy.put(imported.length) });
  };
  const { stage, add, retry, chooseNow, answer } = usePendingImports({
    speakers: cast.speakers,
    isLoggedIn,
    onSpeakers: cast.addSpeakers,
    needsMode: ({ spot }) => hasText() && !spot,
    onReady: (pending, decisions, mode = "append") => addToScript(pending, decisions, mode),
  });

  return {
    /** The name of the file that is being read. */
    openingFile,
    /** The search for roles, while it runs and after it failed. */
    search:
      stage && stage.phase !== "asking"
        ? {
            hasFailed: stage.phase === "failed",
            unknown: stage.unknown,
            lines: stage.pending.lines.length,
            attempt: stage.attempt,
            retry,
            chooseNow,
          }
        : null,
    /** The question that the user has to answer. */
    question:
      stage?.phase === "asking"
        ? {
            lines: stage.pending.lines,
            names: stage.unknown,
            canReplace: !stage.pending.spot && hasText(),
            confirm: (decisions: NameDecisions, mode: ImportMode) => answer({ decisions, mode }),
            cancel: () => answer(null),
          }
        : null,
    addText: (text: string) => add({ lines: parseScript(text), spot: null, title: "" }),
    /** Imports text pasted over a range of a line; false for a single row, which the field inserts itself. */
    pasteRows(id: string, text: string, from: number, to: number): boolean {
      const lines: ParsedLine[] = parseScript(text);
      if (lines.length <= 1 && lines[0]?.startMs === undefined) return false;
      const content = store.get().lines.find((line) => line.id === id)?.content ?? "";
      add({ lines, spot: { id, from, to, content }, title: "" });
      return true;
    },
    async openFile(file: File) {
      setOpeningFile(file.name);
      const opened = await openScriptFile(file);
      setOpeningFile(null);
      if (opened.ok) return add({ lines: opened.lines, spot: null, title: opened.title });
      notify({ kind: "error", text: importCopy.failures[opened.reason] });
    },
  };
}

export type Importing = ReturnType<typeof useImporting>;
