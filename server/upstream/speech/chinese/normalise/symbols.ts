import type { SpokenUnit } from "../../engine";

export type Strength = NonNullable<SpokenUnit["strength"]>;

/** Weakest first. */
export const strengths: readonly Strength[] = ["comma", "sentence", "exclamation", "question", "paragraph"];

const pauses: Record<string, Strength> = {};
for (const [strength, characters] of [
  ["comma", "，,、;；:：()（）—…|→~～"],
  ["sentence", "。.｡"],
  ["exclamation", "!！"],
  ["question", "?？"],
  ["paragraph", "\n\r\u2028\u2029"],
] as const) {
  for (const character of characters) pauses[character] = strength;
}

/** Symbols that are spoken. */
export const spokenSymbols: Record<string, string> = {
  "+": "加",
  "=": "等于",
  "×": "乘",
  "÷": "除以",
  "%": "百分号",
  "°": "度",
  "℃": "摄氏度",
  "²": "平方",
  "³": "立方",
  "√": "根号",
  "∞": "无穷大",
  "≈": "约等于",
  "≥": "大于等于",
  "≤": "小于等于",
  "≠": "不等于",
  "±": "正负",
  "∶": "比",
  "€": "欧元",
  "£": "英镑",
  "¥": "元",
  $: "美元",
  "§": "第",
  の: "的",
  α: "阿尔法",
  β: "贝塔",
  γ: "伽马",
  δ: "德尔塔",
  Δ: "德尔塔",
  ε: "艾普西隆",
  θ: "西塔",
  λ: "兰布达",
  μ: "缪",
  π: "派",
  ρ: "柔",
  σ: "西格玛",
  Σ: "西格玛",
  τ: "陶",
  φ: "斐",
  ω: "欧米伽",
  Ω: "欧姆",
  〇: "零",
  "○": "零",
};

/** Spoken in English as "at" and "and". */
export const latinSymbols = new Set(["@", "&"]);

const han = /\p{Script=Han}/u;

/** The pause at a punctuation character; null if it is silent. */
export function pauseAt(text: string, index: number): Strength | null {
  const character = text[index] ?? "";
  const before = text[index - 1] ?? "";
  const after = text[index + 1] ?? "";
  if (character === "." && /[\p{L}\p{N}]/u.test(after)) return null;
  if (/[~～]/.test(character)) return han.test(after) ? "comma" : null;
  if (character === "-") return before === "-" && after !== "-" ? "comma" : null;
  if (/[/\s]/.test(character) && !/[\n\r]/.test(character)) return han.test(before) && han.test(after) ? "comma" : null;
  return pauses[character] ?? null;
}

/** True for the dot of a host name, file name or decimal ("example.com"), false for abbreviations ("U.S.A."). */
export function isSpokenDot(text: string, index: number): boolean {
  if (text[index] !== "." || !/[\p{L}\p{N}]/u.test(text[index + 1] ?? "")) return false;
  return /[\p{Script=Latin}\p{N}]{2}$|\p{N}$/u.test(text.slice(Math.max(0, index - 2), index));
}

/** Capitalised words that are pronounced instead of spelled. */
const pronounceable = new Set(
  (
    "APP NASA NATO OPEC UNESCO UNICEF APEC ASEAN COVID SARS LASER RADAR OPPO VIVO SOHO TOEFL NIKE PUMA ZARA OK NO YES " +
    "HELLO HI LOVE SALE NEW HOT COOL PLUS PRO MAX MINI AIR LINUX JAVA PYTHON EXCEL WORD WIN MAC PAD TIPS SHOW LIVE HOME " +
    "BOSS LOGO ROCK JAZZ RAP TOP MIX BYE GET"
  ).split(" "),
);
/** y is a vowel after a consonant: gym, but not yyds. */
const vowel = /[aeiouàáâäèéêëìíîïòóôöùúûü]|[^y]y/i;
const unsplittable = /['’]|^(?:Mc|Mac)\p{Lu}/u;
const camelCasePart = /\p{Lu}\p{Ll}+|\p{Ll}+|\p{Lu}+(?!\p{Ll})|./gsu;

/** A part of a Latin word that is spoken separately, and its offset in the word. */
export interface LatinPart {
  text: string;
  at: number;
}

/**
 * Splits a word at camel-case boundaries ("ChatGPT" → Chat G P T). Spells unlisted capitals and parts without a vowel;
 * a one-letter part is spoken as the English letter name.
 */
export function splitLatin(word: string): LatinPart[] {
  if (unsplittable.test(word) || pronounceable.has(word)) return [{ text: word, at: 0 }];
  return [...word.matchAll(camelCasePart)].flatMap(({ 0: part, index }) =>
    isSpelled(part) ? spell(part, index) : [{ text: part, at: index }],
  );
}

function isSpelled(part: string): boolean {
  if (part.length === 1 || pronounceable.has(part)) return false;
  return !vowel.test(part) || part === part.toUpperCase();
}

function spell(part: string, at: number): LatinPart[] {
  return [...part].map((text, index) => ({ text, at: at + index }));
}
