import type { SpokenUnit, TimelinePhoneme, TimelineUnit } from "../../../engine";
import type { Espeak, SourceSpeech } from "../espeak-process";
import type { Clause } from "./clauses";
import { toMnemonic } from "./mnemonics";

/** eSpeak speech with silence trimmed; times are milliseconds from its first sample. */
export interface SourceClip {
  samples: Float32Array;
  sampleRate: number;
  units: TimelineUnit[];
  phonemes: TimelinePhoneme[];
}

/** eSpeak's words per minute at normal pace. */
const normalRate = 224;
/** Measured: eSpeak's syllable rate grows slightly faster than the requested rate. */
const paceExponent = 0.92;
const pitchRange = 80;
const rateRange = [80, 450] as const;
/** The pace at eSpeak's highest rate. */
export const fastestPace = (rateRange[1] / normalRate) ** (1 / paceExponent);
const padMs = 15;
const silenceDb = -52;

/** Synthesises a clause with eSpeak at `pace` (1 is about 4.5 syllables per second). Null if it produces no sound. */
export async function readClause(espeak: Espeak, clause: Clause, pace: number): Promise<SourceClip | null> {
  const { text, spans } = toMarkup(clause.units, clause.ending);
  const rate = Math.round(Math.min(rateRange[1], Math.max(rateRange[0], normalRate * pace ** paceExponent)));
  const speech = await espeak.speak({ markup: text, rate, range: pitchRange });
  const sound = findSound(speech.pcm, speech.sampleRate);
  if (!sound) return null;
  const samples = new Float32Array(sound.to - sound.from);
  for (let i = 0; i < samples.length; i++) samples[i] = (speech.pcm[sound.from + i] as number) / 32768;
  const range = { ms: (sound.from / speech.sampleRate) * 1000, lengthMs: (samples.length / speech.sampleRate) * 1000 };
  const phonemes = toPhonemes(speech, range);
  return { samples, sampleRate: speech.sampleRate, units: toUnits(clause.units, spans, { speech, range }), phonemes };
}

interface TrimmedRange {
  ms: number;
  lengthMs: number;
}

function findSound(pcm: Int16Array, sampleRate: number): { from: number; to: number } | null {
  const peak = pcm.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (peak < 64) return null;
  const floor = Math.max(8, peak * 10 ** (silenceDb / 20));
  const pad = Math.round((padMs / 1000) * sampleRate);
  const first = pcm.findIndex((value) => Math.abs(value) > floor);
  const last = pcm.findLastIndex((value) => Math.abs(value) > floor);
  return { from: Math.max(0, first - pad), to: Math.min(pcm.length, last + pad) };
}

const toClipMs = (ms: number, { ms: start, lengthMs }: TrimmedRange) =>
  Math.round(Math.min(lengthMs, Math.max(0, ms - start)));

function toPhonemes({ phonemes }: SourceSpeech, range: TrimmedRange): TimelinePhoneme[] {
  const sounding = phonemes.filter(({ ipa }) => !ipa.startsWith("("));
  return sounding
    .map(({ ms, ipa }, i) => {
      const end = sounding[i + 1]?.ms ?? Number.POSITIVE_INFINITY;
      return { ph: plainPhone(ipa), start: toClipMs(ms, range), end: toClipMs(end, range), viseme: toViseme(ipa) };
    })
    .filter(({ start, end }) => end > start);
}

/** A unit lasts from its word event to the next word or silence. */
function toUnits(
  units: SpokenUnit[],
  spans: Array<{ from: number; to: number }>,
  { speech, range }: { speech: SourceSpeech; range: TrimmedRange },
): TimelineUnit[] {
  const starts = new Map<number, number>();
  for (const { ms, position } of speech.words) {
    const index = spans.findIndex(({ from, to }) => position >= from && position <= to + 1);
    if (index >= 0 && !starts.has(index)) starts.set(index, ms);
  }
  const order = [...starts.entries()].sort((a, b) => a[1] - b[1]);
  return order.map(([index, start], i) => {
    const unit = units[index] as SpokenUnit;
    const next = order[i + 1]?.[1] ?? Number.POSITIVE_INFINITY;
    const sounds = speech.phonemes.filter(({ ms, ipa }) => ms >= start && ms < next && !ipa.startsWith("("));
    const trailing = sounds.findLastIndex(({ ipa }) => ipa !== "");
    const end = sounds[trailing + 1]?.ms ?? next;
    const { text, offset, pinyin, tone } = unit;
    return {
      text,
      offset,
      ...(pinyin === undefined ? {} : { pinyin }),
      ...(tone === undefined ? {} : { tone }),
      start: toClipMs(start, range),
      end: toClipMs(end, range),
    };
  });
}

export interface Markup {
  text: string;
  /** 1-based character range of each unit in the markup. */
  spans: Array<{ from: number; to: number }>;
}

/** Writes syllables as mnemonics in double brackets and Latin words as they are. */
export function toMarkup(units: SpokenUnit[], ending: string): Markup {
  const spans: Markup["spans"] = [];
  let text = "";
  let length = 0;
  for (const unit of units) {
    const piece = ` ${spell(unit)}`;
    const size = Array.from(piece).length;
    spans.push({ from: length + 1, to: length + size });
    text += piece;
    length += size;
  }
  return { text: `${text}${ending}`, spans };
}

/** Spelling of the letter name A, which eSpeak would read as the article. */
const letterA = "eigh";

function spell({ kind, pinyin, text }: SpokenUnit): string {
  if (kind === "latin" && /^a$/i.test(text)) return letterA;
  if (kind === "latin") return text.replace(/[^\p{L}\p{N}'’.+-]+/gu, " ").trim();
  const mnemonic = toMnemonic(pinyin ?? "");
  return mnemonic ? `[[${mnemonic}]]` : "";
}

/** eSpeak's IPA to Oculus visemes. */
const phonesOf = {
  PP: "p ph b m",
  FF: "f v",
  TH: "θ ð",
  DD: "t th d ɾ",
  nn: "n l ŋ",
  kk: "k kh g ɡ χ h",
  CH: "tɕ tɕh ɕ ts. ts.h s. tʃ dʒ ʃ ʒ",
  SS: "ts tsh s z",
  RR: "z. ʐ r ɹ ər ɚ",
  ih: "j",
  ou: "w",
};
const consonants = new Map(
  Object.entries(phonesOf).flatMap(([viseme, phones]) => phones.split(" ").map((phone) => [phone, viseme] as const)),
);

const vowels: Array<[RegExp, string]> = [
  [/^[aɑæɐʌ]/, "aa"],
  [/^i[ɑau]/, "aa"],
  [/^o-/, "E"],
  [/^[oɔɒ]|^uo/, "oh"],
  [/^[uyʊ]/, "ou"],
  [/^[iɪ]/, "ih"],
  [/^[eɛəɜ]/, "E"],
];

/** The phone without stress and tone marks. */
const plainPhone = (ipa: string) => ipa.replace(/[ˈˌː]/g, "");

export function toViseme(ipa: string): string {
  const phone = plainPhone(ipa);
  if (phone === "") return "sil";
  return consonants.get(phone) ?? vowels.find(([shape]) => shape.test(phone))?.[1] ?? "E";
}
