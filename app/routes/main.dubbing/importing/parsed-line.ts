import type { Feeling, MoodName, Strength } from "~/features/tone/tone";

/** A line of a pasted or opened script, before a role is assigned. */
export interface ParsedLine {
  /** The speaker's name as written; null without one. */
  name: string | null;
  /** Without the name. */
  text: string;
  startMs?: number;
  endMs?: number;
  /** Stage directions that are not in the text. */
  directions?: Directions;
  /** The speaker was guessed from the turns of a talk, or not found. */
  isUnsure?: true;
  /** The number of the book's chapter, from 0. */
  chapter?: number;
}

/** `name`: a mood of the tone panel, or one feeling. */
export interface AskedMood {
  name: MoodName | Feeling;
  strength: Strength;
}

/** A mood in brackets at the text's head, and laughter and breath, which no engine is given. */
interface Directions {
  /** The text with them. */
  written: string;
  /** Absent without a mood. */
  mood?: AskedMood;
}

/** A chapter of a book. */
export interface Chapter {
  title: string;
  lines: ParsedLine[];
}

const nameMax = 12;
/** Names have no punctuation or spaces inside; brackets around a name are accepted. */
const withColon =
  /^\s*(?:[【[「『(（]\s*)?(?<name>[\p{L}\p{N}·•・_-]{1,20}?)\s*(?:[】\]」』)）]\s*)?[：:]\s*(?<text>.*)$/u;
/** Format of `writeScript` in script-text.ts: a name may contain spaces and is as long as a role's. */
const withFullBrackets =
  /^\s*【\s*(?!重读\s*】)(?<name>[^【】，。！？、；：,!?;:\n]{1,20}?)\s*】\s*[：:]?\s*(?<text>\S.*)$/u;
/** [重读] is a mark of the text. */
const withBrackets =
  /^\s*[【[]\s*(?!重读\s*[】\]])(?<name>[\p{L}\p{N}·•・_-]{1,20}?)\s*[】\]]\s*[：:]?\s*(?<text>\S.*)$/u;

const notName = /^(\d+|https?|ftp|mailto|第[\d零〇一二三四五六七八九十百千两]+[章节回集幕场段课页部卷篇条])$/i;

/** Words of directions by mood; feelings that are no mood of the tone panel are weights. */
const moodWords: Partial<Record<MoodName | Feeling, string>> = {
  gentle: "轻声|低声|小声|悄声|柔声|耳语|悄悄|轻轻|温柔|温和|轻柔|压低声音",
  happy: "笑|微笑|大笑|笑嘻嘻|开心|高兴|兴奋|欢快|喜悦|愉快|得意|激动",
  angry: "生气|愤怒|怒|怒吼|大怒|吼|大吼|喊|大喊|大声|恼火|气愤|咬牙切齿|厉声",
  sad: "哭|难过|伤心|悲伤|哽咽|抽泣|哭泣|含泪|流泪",
  surprised: "惊讶|吃惊|震惊|诧异|惊喜|惊呼|惊|意外",
  calm: "平静|冷静|淡淡|淡定|镇定|沉稳",
  serious: "严肃|认真|郑重|冷冷|冷淡|沉声",
  urgent: "着急|急切|焦急|急促|急忙|急",
  afraid: "害怕|恐惧|惊恐|颤抖|发抖|慌张|紧张",
  disgusted: "厌恶|嫌弃|不屑|鄙视|冷笑",
  melancholic: "叹气|叹息|忧郁|失落|惆怅|沮丧|无奈",
};
const degrees: Record<Exclude<Strength, "medium">, string> = {
  light: "有点儿?|有些|略带?|微微|稍微",
  strong: "非常|十分|极其|极度|特别|很",
};
const tail = "(?:着|地|的|了)?(?:说道?|问道?|喊道?|答道?|回答|念|语气|口吻|声音)?";
const anyMood = Object.values(moodWords).join("|");
const direction = new RegExp(
  `^(?:(?<light>${degrees.light})|(?<strong>${degrees.strong}))?(?<word>${anyMood})${tail}(?:[，、 ]?(?:${anyMood})${tail})?$`,
);
const direct = (Object.entries(moodWords) as Array<[AskedMood["name"], string]>).map(([mood, words]) => ({
  mood,
  words: new Set(words.split("|")),
}));

/** The mood that a stage direction asks for; null if it is none. */
function findMood(words: string): AskedMood | null {
  const { word = "", light, strong } = direction.exec(words.trim())?.groups ?? {};
  const name = direct.find((one) => one.words.has(word))?.mood;
  const strength = light ? "light" : strong ? "strong" : "medium";
  return name === undefined ? null : { name, strength };
}

const open = "[（(【\\[]";
const close = "[）)】\\]]";
const headDirection = new RegExp(
  `^\\s*${open}(?<words>[^（）()【】\\[\\]]{1,12})${close}\\s*[：:]?\\s*(?<rest>\\S.*)$`,
  "u",
);
/** `沈砚（轻声）：` */
const namedDirection = new RegExp(
  `^(?<name>[^：:]{1,20}?)(?<direction>${open}(?<words>[^（）()【】\\[\\]]{1,12})${close})\\s*(?<colon>[：:])`,
  "u",
);
const sounds = "laughter|laughs?|breath|sigh|cough|笑声|呼吸声?|喘气声?|叹气声|咳嗽声?";
const soundMark = new RegExp(`${open}(?:${sounds})${close}\\s*`, "giu");
const oneSound = new RegExp(`^(?:${sounds})$`, "iu");
const isDirection = (words: string) => findMood(words) !== null || oneSound.test(words);

/** The text without its stage directions. */
export function readDirections(written: string): Pick<ParsedLine, "text" | "directions"> {
  const { words = "", rest = "" } = headDirection.exec(written)?.groups ?? {};
  const mood = findMood(words);
  const text = (mood ? rest : written).replace(soundMark, "").trim();
  return text === written ? { text } : { text, directions: { written, ...(mood && { mood }) } };
}

/** Reads `name: text` and `[name] text`. A number, chapter, time, URL or long clause before a colon is not a name. */
export function parseLine(line: string): ParsedLine {
  const named = namedDirection.exec(line)?.groups;
  const moved =
    named?.name && findMood(named.words ?? "") ? line.replace(namedDirection, "$<name>$<colon>$<direction>") : line;
  const { name, text } = parseName(moved);
  return { name, ...readDirections(text) };
}

function parseName(line: string): Pick<ParsedLine, "name" | "text"> {
  const full = withFullBrackets.exec(line)?.groups;
  const isColon = /】\s*[：:]/.test(line);
  const isSpeaker = full?.name !== undefined && (isColon || !isDirection(full.name));
  if (full?.name && full.text && isSpeaker && /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(full.name))
    return { name: full.name, text: full.text.trim() };
  const found = (withBrackets.exec(line) ?? withColon.exec(line))?.groups;
  const { name = "", text = "" } = found ?? {};
  const isBracketed = /^\s*[（(【[]/.test(line);
  const isName = found && [...name].length <= nameMax && !notName.test(name) && !(isBracketed && isDirection(name));
  const isTime = /^\s*\d{1,2}[：:]\d{2}/.test(line);
  if (!isName || isTime || text.startsWith("//")) return { name: null, text: line.trim() };
  return { name, text: text.trim() };
}
