import vocabulary from "./voice-words.json" with { type: "json" };

export type DesignGender = "female" | "male";

/** What is wanted of a voice; an axis is −1.5 to 1.5, 0 or absent means ordinary. */
export interface VoiceTraits {
  gender?: DesignGender;
  age?: "child" | "old";
  /** Above 0 is higher. */
  pitch?: number;
  /** Above 0 is brighter. */
  brightness?: number;
  /** Above 0 is faster. */
  pace?: number;
  /** Above 0 has more melody. */
  liveliness?: number;
}

/** What a description in words says about a voice. */
export interface VoiceWords {
  traits: VoiceTraits;
  /** Pieces that say nothing about a voice. */
  unread: string[];
  /** Asks for the voice of a person by name, or for an imitation of one. */
  asksForPerson: boolean;
}

const axes = ["pitch", "brightness", "pace", "liveliness"] as const;
const axisLimit = 1.5;
type TraitWords = VoiceTraits & { words: string[] };
type Token = { kind: "traits" | "degree" | "ignored" | "imitation" | "unread"; text: string };

const traitWords = vocabulary.traits as TraitWords[];
const factors = new Map(vocabulary.degrees.flatMap(({ words, factor }) => words.map((word) => [word, factor])));
/** Words that begin like a name and are none. */
const ordinary = new Set(vocabulary.ordinary);
const kinds = new Map<string, Token["kind"]>([
  ...vocabulary.ordinary.map((word) => [word, "unread"] as const),
  ...vocabulary.ignored.map((word) => [word, "ignored"] as const),
  ...vocabulary.imitations.map((word) => [word, "imitation"] as const),
  ...[...factors.keys()].map((word) => [word, "degree"] as const),
  ...traitWords.flatMap(({ words }) => words.map((word) => [word, "traits"] as const)),
]);
const longest = Math.max(...[...kinds.keys()].map((word) => word.length));

/** Reads a description of a voice, such as 女声、低沉、慢，像深夜电台. Never throws. */
export function readVoiceWords(text: string): VoiceWords {
  const clauses = text.normalize("NFKC").split(/[\s,，、。;；!！?？.·/|+“”"'()（）:：]+/u);
  const tokens = clauses.filter(Boolean).map(tokenise);
  const traits: VoiceTraits = {};
  for (const clause of tokens) addTraits(traits, clause);
  const unread = tokens.flat().flatMap(({ kind, text }) => (kind === "unread" ? [text] : []));
  return { traits, unread, asksForPerson: tokens.some(asksForPerson) };
}

/** Longest words first; what no word covers stays in one piece. */
function tokenise(clause: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < clause.length; ) {
    const word = findWord(clause, at);
    const last = tokens.at(-1);
    if (word) tokens.push({ kind: kinds.get(word) as Token["kind"], text: word });
    else if (last?.kind === "unread" && !ordinary.has(last.text)) last.text += clause[at];
    else tokens.push({ kind: "unread", text: clause[at] as string });
    at += word ? word.length : 1;
  }
  return tokens;
}

function findWord(clause: string, at: number): string | null {
  for (let length = Math.min(longest, clause.length - at); length > 0; length--) {
    const word = clause.slice(at, at + length);
    if (kinds.has(word)) return word;
  }
  return null;
}

function addTraits(traits: VoiceTraits, tokens: readonly Token[]): void {
  let factor = 1;
  for (const { kind, text } of tokens) {
    if (kind === "degree") factor = factors.get(text) ?? 1;
    if (kind !== "traits") continue;
    for (const { words, ...said } of traitWords) if (words.includes(text)) addOne(traits, said, factor);
    factor = 1;
  }
}

/** "Not an old one" says nothing about who it is instead. */
function addOne(traits: VoiceTraits, said: VoiceTraits, factor: number): void {
  if (factor > 0 && said.gender) traits.gender ??= said.gender;
  if (factor > 0 && said.age) traits.age ??= said.age;
  for (const axis of axes) {
    const value = (traits[axis] ?? 0) + factor * (said[axis] ?? 0);
    if (said[axis]) traits[axis] = Math.max(-axisLimit, Math.min(axisLimit, value));
  }
}

/** A name (surname and one to three more characters, or Latin letters), or anybody unknown after "like". */
function asksForPerson(tokens: readonly Token[]): boolean {
  return tokens.some(({ kind, text }, i) => {
    if (kind !== "unread" || ordinary.has(text)) return false;
    const isNamed = vocabulary.surnames.includes(text[0] as string) && text.length >= 2 && text.length <= 4;
    const isLatin = /^[A-Za-z]{2,}$/.test(text);
    return isNamed || isLatin || tokens.slice(0, i).some((earlier) => earlier.kind === "imitation");
  });
}
