import { concatArrays, toFloats } from "./dsp/pcm";
import type { PreparedText, SpeechChunk, SpokenDoubt, SpokenUnit } from "./engine";
import type { Recogniser } from "./recogniser";
import { splitPhrases } from "./recording/phrases";

interface CheckParts {
  recogniser: Pick<Recogniser, "transcribe">;
  prepareText(text: string): Promise<PreparedText>;
}

/** Recognisers are trained on utterances of up to 30 s. */
const maxSeconds = 28;

/**
 * Compares what a recogniser hears in synthesised speech with what the text should sound like. Throws SpeechError where
 * the recogniser fails.
 */
export async function checkSpeech(
  { recogniser, prepareText }: CheckParts,
  { chunks, text, signal }: { chunks: readonly SpeechChunk[]; text: PreparedText; signal: AbortSignal },
): Promise<SpokenDoubt[]> {
  const sampleRate = chunks[0]?.sampleRate ?? 0;
  const pcm = concatArrays(
    Int16Array,
    chunks.map((chunk) => chunk.pcm),
  );
  const sound = { samples: toFloats(pcm), sampleRate };
  const parts = pcm.length > maxSeconds * sampleRate ? splitPhrases(sound) : [sound];
  const texts: string[] = [];
  for (const part of parts) texts.push((await recogniser.transcribe(part, signal)).text);
  const heard = texts.join("，").trim();
  return compareReadings(text, heard === "" ? { units: [] } : await prepareText(heard));
}

/** A Latin word may be written in many ways: this share of its letters may differ. */
const latinTolerance = 0.4;
/** A Latin word that was heard as Chinese characters, or the reverse. */
const otherScriptCost = 0.7;
/** The suffix 儿 may be its own syllable or a part of the one before. */
const suffixCost = 0.2;

/**
 * Aligns two readings by their syllables without tones and lists where they differ. Homophones and equal characters are
 * never a doubt: recognisers choose characters and tones by context.
 */
export function compareReadings(expected: PreparedText, heard: PreparedText): SpokenDoubt[] {
  const [wanted, found] = [tokensOf(expected), tokensOf(heard)];
  const steps = align(wanted, found);
  const doubts: SpokenDoubt[] = [];
  for (const { unit, other } of steps) {
    if (unit && other) {
      if (isWrong(unit, other)) doubts.push({ ...placeOf(unit), kind: "wrong", heard: other.text });
    } else if (unit && !isSuffix(unit)) doubts.push({ ...placeOf(unit), kind: "missing" });
    else if (other && !isSuffix(other))
      doubts.push({ ...addedAt(wanted, steps, other), kind: "added", heard: other.text });
  }
  return doubts;
}

interface Token extends SpokenUnit {
  /** Syllable without tone and retroflex suffix, or letters of a Latin word. */
  sound: string;
}

interface Step {
  unit: Token | null;
  other: Token | null;
}

/** Latin words in a row are one token: recognisers write letters together or apart. Marks are no part of the text. */
function tokensOf({ units }: PreparedText): Token[] {
  const tokens: Token[] = [];
  for (const [i, unit] of units.entries()) {
    if (unit.kind === "pause") continue;
    const text = unit.text.replace(/[(（].*$/s, "");
    const last = tokens.at(-1);
    if (unit.kind === "latin" && last && units[i - 1]?.kind === "latin") {
      last.sound += soundOf(unit);
      last.text += unit.offset > last.offset ? ` ${text}` : "";
    } else tokens.push({ ...unit, text, sound: soundOf(unit) });
  }
  return tokens;
}

function soundOf({ kind, pinyin = "", text }: SpokenUnit): string {
  if (kind === "latin") return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  const letters = pinyin.replace(/[1-5]$/, "");
  return letters === "er" ? letters : letters.replace(/r$/, "");
}

const isSuffix = ({ kind, sound }: Token) => kind === "syllable" && sound === "er";
const placeOf = ({ text, offset }: SpokenUnit) => ({ text, offset });

function costOf(unit: Token, other: Token): number {
  if (unit.kind !== other.kind) return otherScriptCost;
  if (unit.kind === "latin")
    return distance(unit.sound, other.sound) / Math.max(1, unit.sound.length, other.sound.length);
  return unit.sound === other.sound || unit.text === other.text ? 0 : 1;
}

function isWrong(unit: Token, other: Token): boolean {
  if (unit.kind !== other.kind) return false;
  return costOf(unit, other) > (unit.kind === "latin" ? latinTolerance : 0);
}

const lossOf = (token: Token) => (isSuffix(token) ? suffixCost : 1);

/** The cheapest alignment, by dynamic programming; a substitution is preferred to a missing and an added token. */
function align(wanted: readonly Token[], found: readonly Token[]): Step[] {
  const width = found.length + 1;
  const costs = new Float64Array((wanted.length + 1) * width);
  const at = (i: number, j: number) => costs[i * width + j] as number;
  const cheapest = (i: number, j: number) => {
    const [unit, other] = [wanted[i - 1], found[j - 1]];
    return Math.min(
      unit && other ? at(i - 1, j - 1) + costOf(unit, other) : Number.POSITIVE_INFINITY,
      unit ? at(i - 1, j) + lossOf(unit) : Number.POSITIVE_INFINITY,
      other ? at(i, j - 1) + lossOf(other) : Number.POSITIVE_INFINITY,
    );
  };
  for (let i = 0; i <= wanted.length; i++)
    for (let j = 0; j < width; j++) if (i + j > 0) costs[i * width + j] = cheapest(i, j);
  const steps: Step[] = [];
  for (let [i, j] = [wanted.length, found.length]; i + j > 0; ) {
    const [unit = null, other = null] = [wanted[i - 1], found[j - 1]];
    if (unit && other && at(i, j) === at(i - 1, j - 1) + costOf(unit, other)) {
      steps.push({ unit, other });
      i--;
      j--;
    } else if (unit && at(i, j) === at(i - 1, j) + lossOf(unit)) {
      steps.push({ unit, other: null });
      i--;
    } else {
      steps.push({ unit: null, other });
      j--;
    }
  }
  return steps.reverse();
}

/** The unit before which something was added, or the last one. */
function addedAt(wanted: readonly Token[], steps: readonly Step[], other: Token) {
  const from = steps.findIndex((step) => step.other === other);
  const next = steps.slice(from).find(({ unit }) => unit)?.unit ?? wanted.at(-1);
  return next ? placeOf(next) : { text: "", offset: 0 };
}

/** Edits between two words. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
