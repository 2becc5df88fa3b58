import { useSearchParams } from "@remix-run/react";
import { useState } from "react";
import { editorCopy, importCopy } from "~/copy/dubbing";
import { notify } from "~/features/toasts/notify";
import { useHasCall } from "~/state/capabilities";
import { askToConfirm } from "~/state/dialog-requests";
import { scriptLinesMax } from "~server/contract/limits";
import { isBlank } from "../editor/script";
import type { ScriptStore } from "../editor/store";
import type { Cast } from "../use-dub-session";
import type { Decoded, Encoding } from "./open-script-file";
import { hasDirections, hasTimes, type ImportAnswer, importLines, type PendingImport } from "./pending-import";
import {
  loadParser,
  loadReaders,
  plainRow,
  rememberCast,
  useNovelQuestion,
  usePendingImports,
} from "./use-pending-imports";

export const acceptedFiles = ".txt,.srt,.vtt,.lrc,.ass,.ssa,.docx,.epub";
export const acceptedSounds = ".mp3,.wav,.m4a,.flac,.ogg,.opus,.webm";
/** A sound by its type or its name: some systems tell no type. */
export const isSoundFile = ({ type, name }: Pick<File, "type" | "name">) =>
  /^audio\//.test(type) || /\.(mp3|wav|m4a|flac|ogg|opus)$/i.test(name);

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
      return void import("../projects/storage").then(
        async ({ openChapters }) => {
          const project = await openChapters(pending, decisions, cast);
          if (project) setParams({ project });
        },
        () => notify({ kind: "error", text: importCopy.failures["not-now"] }),
      );
    // Another script takes the place of this one.
    if (mode === "replace") onOther();
    const defaultRoleId = cast.defaultRoleId();
    putLines(store, pending, { decisions, reading, mode: hasText() ? mode : "replace", defaultRoleId });
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
    pasteRows: createPaste(store, add),
    openFile,
    /** The question whether the people of a novel get voices of their own. */
    novelQuestion,
    /** The question for the encoding of a file that reads for certain in none. */
    encodingQuestion,
  };
}

/**
 * Puts the lines into the script, as far as it has room. The caret goes behind what was pasted, and to the first line of
 * an opened file.
 */
function putLines(store: ScriptStore, pending: PendingImport, how: Parameters<typeof importLines>[2]) {
  const { script, imported } = importLines(store.get(), pending, how);
  const [first, last] = [imported[0], imported[imported.length - 1]];
  const caret = pending.spot ? last && { id: last.id, at: last.content.length } : first && { id: first.id, at: 0 };
  const excess = script.lines.length - scriptLinesMax;
  const limited = { ...script, lines: script.lines.slice(0, scriptLinesMax) };
  store.edit({ type: "replace", script: limited }, caret);
  if (excess > 0) notify({ kind: "warning", text: editorCopy.tooMany(excess) });
  else notify({ kind: "success", text: editorCopy.put(imported.length) });
}

const notifyTidied = () => notify({ kind: "info", text: importCopy.tidied, lasts: 8000 });

/** Imports text pasted over a range of a line; false for a plain row, which the field inserts itself. */
const createPaste =
  (store: ScriptStore, add: (pending: PendingImport) => void) =>
  (id: string, text: string, from: number, to: number): boolean => {
    if (plainRow.test(text)) return false;
    Promise.all([loadReaders(), loadParser(text)]).then(
      ([[{ toSpokenText }], parse]) => {
        const spoken = toSpokenText(text);
        const isTidied = spoken !== text;
        if (isTidied) notifyTidied();
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
  };

export type Importing = ReturnType<typeof useImporting>;

/** Null where they could not be downloaded. */
const loadDialogWords = () =>
  import("~/copy/dubbing-dialogs").then(
    ({ importDialogCopy }) => importDialogCopy,
    () => null,
  );

/** The code that reads files could not be downloaded. */
const notNow = { ok: false, reason: "not-now" } as const;

/** Opens scripts, books and recordings; `add` imports their lines. */
function useFileOpening(cast: Cast, add: (pending: PendingImport) => void) {
  const canTranscribe = useHasCall("transcribe");
  const [openingFile, setOpeningFile] = useState<string | null>(null);
  const [unclear, setUnclear] = useState<{ file: File; choices: readonly Decoded[] } | null>(null);

  const openSound = async (file: File) => {
    setOpeningFile(importCopy.listening(file.name));
    const reader = await import("./read-sound").catch(() => null);
    const lines = await reader?.readSound(file);
    setOpeningFile(null);
    if (!reader) notify({ kind: "error", text: importCopy.failures["not-now"] });
    if (lines) add({ lines, spot: null, title: file.name.replace(/\.[^.]+$/, "") });
  };

  const openFile = async (file: File, encoding?: Encoding) => {
    if (isSoundFile(file) && canTranscribe) return openSound(file);
    setOpeningFile(importCopy.opening(file.name));
    const opener = await import("./open-script-file").catch(() => null);
    const opened = opener ? await opener.openScriptFile(file, { encoding }) : notNow;
    setOpeningFile(null);
    if (!opened.ok) {
      if (opened.reason === "encoding") return setUnclear({ file, choices: opened.choices });
      const words = opened.reason === "broken-time" ? await loadDialogWords() : null;
      const reason = opened.reason === "broken-time" ? "unreadable" : opened.reason;
      const text = opened.reason === "broken-time" && words ? words.brokenTime(opened) : importCopy.failures[reason];
      return notify({ kind: "error", text });
    }
    if ("chapters" in opened) {
      const words = opened.withNotes && (await loadDialogWords());
      const chapters = (words && (await askToConfirm(words.notes)) && opened.withNotes) || opened.chapters;
      return add({
        lines: chapters.flatMap(({ lines }, chapter) => lines.map((line) => ({ ...line, chapter }))),
        chapters: chapters.map(({ title }) => title),
        book: opened.book,
        spot: null,
        title: "",
      });
    }
    const { lines, title, music, isTidied } = opened;
    if (isTidied) notifyTidied();
    const asksRole =
      cast.speakers.size > 1 && lines.some(({ name, startMs }) => name === null && startMs !== undefined);
    add({ lines, spot: null, title, asksRole, asksTiming: hasTimes(lines), music });
  };

  return {
    openingFile,
    openFile,
    encodingQuestion: unclear && {
      ...unclear,
      choose(encoding: Encoding) {
        setUnclear(null);
        void openFile(unclear.file, encoding);
      },
      cancel: () => setUnclear(null),
    },
  };
}
