import { refusalOf } from "~/call";
import { importDialogCopy as copy } from "~/copy/dubbing-dialogs";
import { sentenceFor } from "~/copy/errors";
import { transcribeSound } from "~/features/reference/reference";
import { notify } from "~/features/toasts/notify";
import type { ParsedLine } from "./parsed-line";

/** The sentences of a sound with their times; null after a failure, which was shown. */
export async function readSound(file: File): Promise<ParsedLine[] | null> {
  try {
    const { segments } = await transcribeSound(file, file.name);
    const lines = segments.map(({ start, end, text }) => ({
      ...{ name: null, text },
      ...{ startMs: Math.round(start * 1000), endMs: Math.round(end * 1000) },
    }));
    if (lines.length > 0) return lines;
    notify({ kind: "error", text: copy.noSpeech });
  } catch (error) {
    const refusal = refusalOf(error);
    notify({ kind: "error", text: copy.soundFailures[refusal.code] ?? sentenceFor(refusal) });
  }
  return null;
}
