import { useSearchParams } from "@remix-run/react";
import { useState } from "react";
import { refusalOf } from "~/call";
import { importCopy } from "~/copy/dubbing";
import { sentenceFor } from "~/copy/errors";
import { notify } from "~/features/toasts/notify";
import { useHasCall } from "~/offer";
import type { Cast } from "../use-dub-session";
import type { Decoded, Encoding } from "./open-script-file";
import type { Chapter } from "./parsed-line";
import { hasTimes, type PendingImport, transcribeLines } from "./pending-import";

export const acceptedFiles = ".txt,.srt,.vtt,.lrc,.ass,.ssa,.docx,.epub";
export const acceptedSounds = ".mp3,.wav,.m4a,.flac,.ogg,.opus,.webm";
/** A sound by its type or its name: some systems tell no type. */
export const isSoundFile = ({ type, name }: Pick<File, "type" | "name">) =>
  /^audio\//.test(type) || /\.(mp3|wav|m4a|flac|ogg|opus)$/i.test(name);

/** The code that reads files could not be downloaded. */
const notNow = { ok: false, reason: "not-now" } as const;

/** Opens scripts, books and recordings; `add` imports their lines. */
export function useFileOpening(cast: Cast, add: (pending: PendingImport) => void) {
  const canTranscribe = useHasCall("transcribe");
  const [, setParams] = useSearchParams();
  const [openingFile, setOpeningFile] = useState<string | null>(null);
  const [unclear, setUnclear] = useState<{ file: File; choices: readonly Decoded[] } | null>(null);

  const openSound = async (file: File) => {
    setOpeningFile(importCopy.listening(file.name));
    try {
      const lines = await transcribeLines(file);
      if (lines.length === 0) return notify({ kind: "error", text: importCopy.noSpeech });
      add({ lines, spot: null, title: file.name.replace(/\.[^.]+$/, "") });
    } catch (error) {
      const refusal = refusalOf(error);
      notify({ kind: "error", text: importCopy.soundFailures[refusal.code] ?? sentenceFor(refusal) });
    } finally {
      setOpeningFile(null);
    }
  };

  const openBook = async (chapters: readonly Chapter[], hasNotes: boolean) => {
    const storage = await import("../projects/storage").catch(() => null);
    if (!storage) return notify({ kind: "error", text: importCopy.failures["not-now"] });
    const project = await storage.createChapterProjects(chapters, cast.speakers.get(cast.defaultRoleId()));
    if (!project) return notify({ kind: "error", text: importCopy.failures["not-stored"] });
    setParams({ project });
    notify({ kind: "success", text: importCopy.chapters(chapters.length, hasNotes) });
  };

  const openFile = async (file: File, encoding?: Encoding) => {
    if (isSoundFile(file) && canTranscribe) return openSound(file);
    setOpeningFile(importCopy.opening(file.name));
    const opener = await import("./open-script-file").catch(() => null);
    const opened = opener ? await opener.openScriptFile(file, { encoding }) : notNow;
    setOpeningFile(null);
    if (!opened.ok) {
      if (opened.reason === "encoding") return setUnclear({ file, choices: opened.choices });
      const text = opened.reason === "broken-time" ? importCopy.brokenTime(opened) : importCopy.failures[opened.reason];
      return notify({ kind: "error", text });
    }
    if ("chapters" in opened) return void openBook(opened.chapters, opened.hasNotes);
    const { lines, title, music } = opened;
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
