import { useState } from "react";
import { editorCopy, importCopy } from "~/copy/dubbing";
import type { Notice } from "~/features/toasts/notify";
import { scriptLinesMax } from "~server/contract/limits";
import { isBlank } from "../editor/script";
import type { Speaker } from "../editor/state";
import type { ScriptStore } from "../editor/store";
import { openScriptFile } from "./open-file";
import { type Decision, parseScriptText, type RoughLine } from "./parse-script";
import { type Coming, type Way, withComing } from "./pending-import";
import { looksLikeSubtitles, parseSubtitles } from "./subtitles";
import { useComing } from "./use-pending-imports";

interface Options {
  store: ScriptStore;
  speakers: ReadonlyMap<string, Speaker>;
  isLoggedIn: boolean;
  onSpeakers(speakers: readonly Speaker[]): void;
  /** Who speaks where nobody is named. */
  narrator(): string;
  tell(notice: Notice): void;
}

/** Pasted and opened scripts on their way into the editor: names are matched with roles, unknown ones asked for once. */
export function useImporting({ store, narrator, tell, ...casting }: Options) {
  const [opening, setOpening] = useState<string | null>(null);
  const isBegun = () => store.get().lines.some((line) => !isBlank(line));

  const put = (coming: Coming, decisions: ReadonlyMap<string, Decision>, way: Way) => {
    const placed = withComing(store.get(), coming, {
      decisions,
      way: isBegun() ? way : "replace",
      narrator: narrator(),
    });
    const { script, fresh } = placed;
    const tooMany = script.lines.length - scriptLinesMax;
    const last = fresh[fresh.length - 1];
    const kept = { ...script, lines: script.lines.slice(0, scriptLinesMax) };
    store.edit({ type: "replace", script: kept }, last && { id: last.id, at: last.content.length });
    if (tooMany > 0) tell({ kind: "warning", text: editorCopy.tooMany(tooMany) });
    else tell({ kind: "success", text: editorCopy.put(fresh.length) });
  };
  const { stage, take, retry, chooseNow, answer } = useComing({
    ...casting,
    needsPlace: ({ spot }) => isBegun() && !spot,
    onCast: (coming, decisions, way = "append") => put(coming, decisions, way),
  });

  return {
    /** The file that is being read. */
    opening,
    search:
      stage && stage.phase !== "asking"
        ? { ...stage, phase: stage.phase, lines: stage.coming.lines.length, retry, chooseNow }
        : null,
    asking:
      stage?.phase === "asking"
        ? {
            lines: stage.coming.lines,
            unknown: stage.unknown,
            /** Whether the lines there may give way. */
            canReplace: !stage.coming.spot && isBegun(),
            done: (decisions: Map<string, Decision>, way: Way) => answer({ decisions, way }),
            cancel: () => answer(null),
          }
        : null,
    takeLines: (lines: RoughLine[]) => take({ lines, spot: null, title: "" }),
    /** Text of several rows pasted into a line; true when it is taken care of. */
    pasteRows(id: string, text: string, from: number, to: number): boolean {
      const lines = looksLikeSubtitles(text) ? parseSubtitles(text) : parseScriptText(text);
      const isScript = lines.length > 1 || lines[0]?.startMs !== undefined;
      if (!isScript) return false;
      const content = store.get().lines.find((line) => line.id === id)?.content ?? "";
      take({ lines, spot: { id, from, to, content }, title: "" });
      return true;
    },
    async openFile(file: File) {
      setOpening(file.name);
      const opened = await openScriptFile(file);
      setOpening(null);
      if (opened.ok) return take({ lines: opened.lines, spot: null, title: opened.title });
      tell({ kind: "error", text: importCopy.failures[opened.reason] });
    },
  };
}

export type Importing = ReturnType<typeof useImporting>;
