import type { Recogniser, TranscribedWord, Transcript } from "./recogniser";
import type { RecordedPhrase } from "./recording/phrases";

/** A subtitle; milliseconds from the start of the sound. */
export interface TranscribedCue {
  text: string;
  startMs: number;
  endMs: number;
}

export interface Transcription {
  text: string;
  /** Language of most phrases; "" if unknown. */
  language: string;
  cues: TranscribedCue[];
}

/** A clause is one subtitle from this many characters on; sentences always end one. */
const clauseCharacters = 14;
const sentenceEnd = /[。？！；?!;…]$/u;
const clauseEnd = /[，、：,:]$/u;

/** Transcribes phrases one after the other and cuts them into subtitles at punctuation. Throws SpeechError. */
export async function transcribePhrases(
  recogniser: Recogniser,
  phrases: readonly RecordedPhrase[],
  signal?: AbortSignal,
): Promise<Transcription> {
  const cues: TranscribedCue[] = [];
  const languages = new Map<string, number>();
  for (const phrase of phrases) {
    const transcript = await recogniser.transcribe(phrase, signal);
    if (transcript.text === "") continue;
    languages.set(transcript.language, (languages.get(transcript.language) ?? 0) + phrase.endMs - phrase.startMs);
    cues.push(...toCues(transcript, phrase));
  }
  const [language = ""] = [...languages].sort((a, b) => b[1] - a[1])[0] ?? [];
  return { text: joinCues(cues), language, cues };
}

/** The whole phrase where the recogniser has no timestamps. */
function toCues({ text, words }: Transcript, { startMs, endMs }: RecordedPhrase): TranscribedCue[] {
  if (words.length === 0) return [{ text, startMs, endMs }];
  const cues: TranscribedCue[] = [];
  let open: TranscribedWord[] = [];
  const close = () => {
    const [first, last] = [open[0], open.at(-1)];
    const joined = open
      .map((word) => word.text)
      .join("")
      .replace(/\s+/g, " ")
      .trim();
    if (first && last && joined !== "")
      cues.push({ text: joined, startMs: startMs + first.startMs, endMs: startMs + last.endMs });
    open = [];
  };
  for (const word of words) {
    open.push(word);
    const length = open.reduce((sum, each) => sum + each.text.trim().length, 0);
    if (sentenceEnd.test(word.text) || (clauseEnd.test(word.text) && length >= clauseCharacters)) close();
  }
  close();
  return cues;
}

/** With a space between two Latin words only. */
const joinCues = (cues: readonly TranscribedCue[]): string =>
  cues.reduce((joined, { text }) => {
    const isLatin = /[\p{Script=Latin}\p{N},.!?;:]$/u.test(joined) && /^[\p{Script=Latin}\p{N}]/u.test(text);
    return joined + (isLatin ? " " : "") + text;
  }, "");
