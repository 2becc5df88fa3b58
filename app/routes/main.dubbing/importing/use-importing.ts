import { useEffect, useRef, useState } from "react";
import { editorCopy, importCopy } from "~/copy/dubbing";
import { notify } from "~/features/toasts/notify";
import { loadAhead } from "~/ui/lazy-part";
import { scriptLinesMax } from "~server/contract/limits";
import { isBlank, type Speaker } from "../editor/script";
import type { ScriptStore } from "../editor/store";
import type { Cast } from "../use-dub-session";
import {
  findRoles,
  hasDirections,
  hasTimes,
  type ImportAnswer,
  type ImportStage,
  importLines,
  matchNames,
  namesOf,
  type PendingImport,
  readPendingImports,
  savePendingImports,
  toDecisions,
  unasked,
} from "./pending-import";
import { useFileOpening } from "./use-file-opening";

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

  const addToScript = (pending: PendingImport, { decisions, mode, reading }: ImportAnswer) => {
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
    needsMode: ({ spot, asksRole, asksTiming, lines }) =>
      asksRole === true || asksTiming === true || hasDirections(lines) || (hasText() && !spot),
    onReady: addToScript,
  });

  const { openingFile, encodingQuestion, openFile } = useFileOpening(cast, add);
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
            canReplace: !stage.pending.spot && hasText(),
            confirm: answer,
            cancel: () => answer(null),
          }
        : null,
    addText: (text: string) =>
      void loadParser(text).then((parse) => {
        const lines = parse(text);
        add({ lines, spot: null, title: "", asksTiming: hasTimes(lines) });
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
    /** The question for the encoding of a file that reads for certain in none. */
    encodingQuestion,
  };
}

export type Importing = ReturnType<typeof useImporting>;

interface PendingImportsOptions {
  speakers: ReadonlyMap<string, Speaker>;
  isLoggedIn: boolean;
  onSpeakers(speakers: readonly Speaker[]): void;
  /** Whether the user has to choose the import mode. */
  needsMode(pending: PendingImport): boolean;
  /** All names are decided. */
  onReady(pending: PendingImport, answer: ImportAnswer): void;
}

/** Finds roles for the names of pending imports, one import after the other because each may need a decision. */
function usePendingImports({ speakers, isLoggedIn, onSpeakers, needsMode, onReady }: PendingImportsOptions) {
  const [stage, setStage] = useState<ImportStage | null>(null);
  const queue = useRef<PendingImport[]>([]);
  const search = useRef<AbortController | null>(null);

  const setQueue = (next: PendingImport[]) => {
    queue.current = next;
    savePendingImports(next);
  };
  const begin = () => {
    const [pending] = queue.current;
    if (!pending) return setStage(null);
    const names = namesOf(pending.lines);
    const known = matchNames(names, [...speakers.values()]);
    const unknown = names.filter((name) => !known.has(name));
    if (unknown.length === 0) return settle(pending, known);
    void searchRoles({ pending, phase: "searching", known, unknown, attempt: 1 });
  };
  const searchRoles = async (next: ImportStage) => {
    const { pending, known, unknown } = next;
    const controller = new AbortController();
    search.current = controller;
    setStage(next);
    const { found, failed } = await findRoles(unknown, { isLoggedIn, signal: controller.signal });
    if (search.current !== controller) return;
    search.current = null;
    if (found.length > 0) onSpeakers(found);
    const all = new Map([...known, ...matchNames(unknown, found)]);
    if (failed.length === 0 || controller.signal.aborted) return settle(pending, all);
    setStage({ ...next, phase: "failed", known: all, unknown: failed });
  };
  /** Asks the user about unknown names and the mode, or completes the import. */
  const settle = (pending: PendingImport, known: Map<string, string>) => {
    const unknown = namesOf(pending.lines).filter((name) => !known.has(name));
    if (unknown.length > 0 || needsMode(pending))
      return setStage({ pending, phase: "asking", known, unknown, attempt: 0 });
    onReady(pending, { ...unasked, decisions: toDecisions(known) });
    beginNext();
  };
  const beginNext = () => {
    setQueue(queue.current.slice(1));
    begin();
  };

  const resume = useRef(() => {});
  resume.current = () => {
    setQueue(readPendingImports());
    begin();
  };
  useEffect(() => {
    resume.current();
    return () => {
      search.current?.abort();
      search.current = null;
    };
  }, []);

  return {
    stage,
    add(pending: PendingImport) {
      const isBusy = queue.current.length > 0;
      setQueue([...queue.current, pending]);
      if (!isBusy) begin();
    },
    retry: () => stage && void searchRoles({ ...stage, phase: "searching", attempt: stage.attempt + 1 }),
    /** Stops the search and asks about the names that are still unknown. */
    chooseNow: () => (stage?.phase === "failed" ? settle(stage.pending, stage.known) : search.current?.abort()),
    /** The user's decisions; null cancels the import. */
    answer(answer: ImportAnswer | null) {
      const decisions = new Map([...toDecisions(stage?.known ?? new Map()), ...(answer?.decisions ?? [])]);
      if (stage && answer) onReady(stage.pending, { ...answer, decisions });
      beginNext();
    },
  };
}
