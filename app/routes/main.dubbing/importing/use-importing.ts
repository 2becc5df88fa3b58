import { useSearchParams } from "@remix-run/react";
import { editorCopy, importCopy } from "~/copy/dubbing";
import { notify } from "~/features/toasts/notify";
import { loadAhead } from "~/ui/lazy-part";
import { scriptLinesMax } from "~server/contract/limits";
import { isBlank } from "../editor/script";
import type { ScriptStore } from "../editor/store";
import type { Cast } from "../use-dub-session";
import { openChapters, rememberCast, useNovelQuestion } from "./casting";
import { hasDirections, hasTimes, type ImportAnswer, importLines, type PendingImport } from "./pending-import";
import { useFileOpening } from "./use-file-opening";
import { usePendingImports } from "./use-pending-imports";

const loadReaders = () => Promise.all([import("~/features/pasted/to-spoken-text"), import("./script-text")]);
loadAhead(loadReaders);

const likeLyricsOrAss = /^\s*[[［]\d{1,3}[:：]\d|^\s*Dialogue\s*:/im;
/** The reader of lyrics and ASS is loaded for a text that looks like them. */
const loadParser = async (text: string) =>
  likeLyricsOrAss.test(text)
    ? (await import("./open-script-file")).parseScriptFile
    : (await loadReaders())[1].parseScript;

/** A row in which `toSpokenText` and `parseScript` find nothing. */
export const plainRow = /^(?!.*www\.)[^\n\r\u2028\u2029\v\f\t<>[\]()*#`|&_~\\:=+•◦▪●†-]*$/i;

interface ImportingOptions {
  isLoggedIn: boolean;
  /** Another script takes the place of this one. */
  onOther(): void;
}

/** Imports pasted text and opened files into the script. */
export function useImporting(store: ScriptStore, cast: Cast, { isLoggedIn, onOther }: ImportingOptions) {
  const hasText = () => store.get().lines.some((line) => !isBlank(line));

  const [, setParams] = useSearchParams();
  const addToScript = (pending: PendingImport, { decisions, mode, reading }: ImportAnswer) => {
    rememberCast(decisions, cast.speakers);
    if (pending.chapters)
      return void openChapters(pending, decisions, cast).then((project) => project && setParams({ project }));
    const { script, imported } = importLines(store.get(), pending, {
      decisions,
      reading,
      mode: hasText() ? mode : "replace",
      defaultRoleId: cast.defaultRoleId(),
    });
    if (mode === "replace") onOther();
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
    needsMode: ({ spot, asksRole, asksTiming, lines, chapters }) =>
      asksRole === true || asksTiming === true || hasDirections(lines) || (hasText() && !spot && !chapters),
    onReady: addToScript,
  });

  const { addRead, question: novelQuestion } = useNovelQuestion(add);
  const { openingFile, encodingQuestion, openFile } = useFileOpening(cast, addRead);
  return {
    /** Says which file is being read, while one is. */
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
            asksRole: stage.pending.asksRole === true,
            canReplace: !stage.pending.spot && !stage.pending.chapters && hasText(),
            confirm: answer,
            cancel: () => answer(null),
          }
        : null,
    addText: (text: string) =>
      void loadParser(text).then((parse) => {
        const lines = parse(text);
        void addRead({ lines, spot: null, title: "", asksTiming: hasTimes(lines) });
      }),
    /** Imports text pasted over a range of a line; false for a plain row, which the field inserts itself. */
    pasteRows(id: string, text: string, from: number, to: number): boolean {
      if (plainRow.test(text)) return false;
      Promise.all([loadReaders(), loadParser(text)]).then(
        ([[{ toSpokenText }], parse]) => {
          const spoken = toSpokenText(text);
          const isTidied = spoken !== text;
          if (isTidied) notify({ kind: "info", text: importCopy.tidied, lasts: 8000 });
          const lines = parse(spoken);
          const content = store.get().lines.find((line) => line.id === id)?.content ?? "";
          const isRow = lines.length <= 1 && lines[0]?.startMs === undefined;
          const [before, after] = [content.slice(0, from) + spoken, content.slice(to)];
          if (!isRow) add({ lines, spot: { id, from, to, content }, title: "", asksTiming: hasTimes(lines) });
          else if (isTidied) store.edit({ type: "text", id, content: before + after }, { id, at: before.length });
          else document.execCommand("insertText", false, text);
        },
        () => document.execCommand("insertText", false, text),
      );
      return true;
    },
    openFile,
    /** The question whether the people of a novel get voices of their own. */
    novelQuestion,
    /** The question for the encoding of a file that reads for certain in none. */
    encodingQuestion,
  };
}

export type Importing = ReturnType<typeof useImporting>;
