import { findNames, nameAtStart, pronoun, sentenceEnd, speakerBefore, speakerBehind } from "./novel-names";
import type { ParsedLine } from "./parsed-line";

interface Segment {
  kind: "narration" | "speech";
  text: string;
  /** A speech that goes on in the next paragraph. */
  isOpen?: true;
}

const quotes: ReadonlyMap<string, string> = new Map([
  ["“", "”"],
  ["「", "」"],
  ["『", "』"],
  ['"', '"'],
]);
const sentenceMarks = /[。！？!?…，,—～~：:；;]/u;
/** Longer, a quotation without any mark at its end is a term and stays in the narration. */
const termMax = 8;

/**
 * Casts a novel by rules: what stands in quotation marks is spoken by whom the narration beside it names, everything else
 * is narrated. A talk of two goes on in turns, which is a guess.
 */
export function castNovel(lines: readonly ParsedLine[]): ParsedLine[] {
  const paragraphs = lines.map(({ text, name }) => (name === null ? toSegments(text) : null));
  const names = findNames(paragraphs.flatMap((segments) => segments ?? []));
  const talk = new Talk();
  return lines.flatMap((line, at) => {
    const segments = paragraphs[at];
    if (!segments) return [line];
    return castParagraph(segments, { names, talk }).map((cast) => ({ ...line, ...cast }));
  });
}

/** Whether a text has enough talk in quotation marks to be worth casting. */
export const isNovel = (lines: readonly ParsedLine[]): boolean =>
  lines.every(({ name, startMs }) => name === null && startMs === undefined) &&
  lines.filter(({ text }) => toSegments(text).some(({ kind }) => kind === "speech")).length >= 3;

function toSegments(text: string): Segment[] {
  const segments: Segment[] = [];
  let [narration, at] = ["", 0];
  const flush = () => {
    if (narration.trim() !== "") segments.push({ kind: "narration", text: narration.trim() });
    narration = "";
  };
  while (at < text.length) {
    const close = quotes.get(text[at] as string);
    const end = close ? text.indexOf(close, at + 1) : -1;
    if (close === "”" && end < 0) {
      flush();
      segments.push({ kind: "speech", text: text.slice(at + 1).trim(), isOpen: true });
      break;
    }
    const inner = end < 0 ? "" : text.slice(at + 1, end);
    if (isSpeech(inner, text.slice(end + 1), narration)) {
      flush();
      segments.push({ kind: "speech", text: inner.trim() });
      at = end + 1;
    } else {
      narration += end < 0 ? text[at] : text.slice(at, end + 1);
      at = end < 0 ? at + 1 : end + 1;
    }
  }
  flush();
  return segments;
}

/** A term such as “老大” has no mark at its end, and words go on around it. */
function isSpeech(inner: string, after: string, before: string): boolean {
  if (inner.trim() === "") return false;
  if (sentenceMarks.test(inner.at(-1) as string) || /[：:]\s*$/u.test(before)) return true;
  return inner.length > termMax || (before.trim() === "" && after.trim() === "");
}

interface Novel {
  names: ReadonlySet<string>;
  talk: Talk;
}

function castParagraph(segments: readonly Segment[], { names, talk }: Novel): ParsedLine[] {
  let inParagraph = talk.takeOpen();
  const lines = segments.map((segment, at): ParsedLine => {
    const { kind, text } = segment;
    if (kind === "narration") return { name: null, text };
    const found = findSpeaker(segments, at, names);
    const known = found.name ?? inParagraph;
    const speaker = known ?? (found.isPronoun || segments.length === 1 ? talk.other() : null);
    inParagraph = speaker;
    if (speaker) talk.say(speaker, segment.isOpen);
    return { name: speaker, text, ...(!known && { isUnsure: true }) };
  });
  for (const { kind, text } of segments) if (kind === "narration") talk.hear(text, names);
  return lines;
}

interface FoundSpeaker {
  name: string | null;
  isPronoun?: boolean;
}

/** Whom the narration before or behind a quotation names as its speaker, or as the one who acts beside it. */
function findSpeaker(segments: readonly Segment[], at: number, names: ReadonlySet<string>): FoundSpeaker {
  const textOf = (index: number) => (segments[index]?.kind === "narration" ? (segments[index]?.text ?? "") : "");
  const lastSentence =
    textOf(at - 1)
      .split(sentenceEnd)
      .filter(Boolean)
      .at(-1) ?? "";
  // What stands behind the quotation and leads to another one belongs to that one.
  const behind = /[：:]$/u.test(textOf(at + 1)) && segments[at + 2]?.kind === "speech" ? "" : textOf(at + 1);
  const before = /[：:，,]$/u.test(lastSentence) ? speakerBefore(lastSentence) : undefined;
  const after = speakerBehind(behind);
  for (const who of [before, after]) {
    if (who === undefined) continue;
    const name = nameAtStart(who, names);
    if (name) return { name };
    if (who === "" || pronoun.test(who)) return { name: null, isPronoun: true };
  }
  const actor = nameAtStart(lastSentence, names) ?? nameAtStart(behind, names);
  return { name: actor, isPronoun: actor === null && pronoun.test(lastSentence || behind) };
}

/** Characters of narration after which nobody still answers. */
const talkGapMax = 120;
/** Who talks with whom, for quotations beside which nobody is named. */
class Talk {
  /** At most two, the last one to speak behind. */
  #people: string[] = [];
  #open: string | null = null;

  say(name: string, isOpen = false) {
    this.#people = [...this.#people.filter((one) => one !== name), name].slice(-2);
    this.#open = isOpen ? name : null;
  }

  /** The speaker whose speech the last paragraph left open. */
  takeOpen(): string | null {
    const open = this.#open;
    this.#open = null;
    return open;
  }

  /** Who answers the last speaker; that speaker where nobody else is there. */
  other(): string | null {
    return this.#people[0] ?? null;
  }

  /** Narration brings people in; a long one ends the talk. */
  hear(text: string, names: ReadonlySet<string>) {
    if (text.length > talkGapMax) this.#people = [];
    for (const name of names)
      if (name.length > 1 && text.includes(name) && !this.#people.includes(name))
        this.#people = [name, ...this.#people.slice(-1)];
  }
}
