import { useState } from "react";
import { refusalOf } from "~/call";
import { importCopy } from "~/copy/dubbing";
import { sentenceFor } from "~/copy/errors";
import { notify } from "~/features/toasts/notify";
import { useHasCall } from "~/offer";
import type { Cast } from "../use-dub-session";
import type { Decoded, Encoding } from "./open-script-file";
import type { ParsedLine } from "./parsed-line";
import { hasTimes, type PendingImport } from "./pending-import";

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
    if ("chapters" in opened) {
      if (opened.hasNotes) notify({ kind: "info", text: importCopy.withoutNotes });
      return add({
        lines: opened.chapters.flatMap(({ lines }, chapter) => lines.map((line) => ({ ...line, chapter }))),
        chapters: opened.chapters.map(({ title }) => title),
        spot: null,
        title: "",
      });
    }
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

/** The sentences of a sound with their times. Throws `Refused`. */
async function transcribeLines(file: File): Promise<ParsedLine[]> {
  const { transcribeSound } = await import("~/features/reference/reference");
  const { segments } = await transcribeSound(file, file.name);
  return segments.map(({ start, end, text }) => ({
    ...{ name: null, text },
    ...{ startMs: Math.round(start * 1000), endMs: Math.round(end * 1000) },
  }));
}
