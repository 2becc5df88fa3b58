import { plainText } from "~server/contract/marks";
import { formatCount, formatSpeed } from "./format";

/** Cost of a generation and the balance after it; shared by clone and dubbing. */
export const costCopy = {
  takes: (characters: number) => `将消耗 ${formatCount(characters)} 字`,
  rest: (left: number) => `还剩 ${formatCount(left)} 字`,
  restTrials: (left: number) => `还剩 ${left} 次试用`,
  leaves: (left: number) => `生成后还剩 ${formatCount(left)} 字`,
  short: (need: number, left: number) => `需要 ${formatCount(need)} 字，只剩 ${formatCount(left)} 字`,
  takesTrial: (leftAfter: number) => `将用 1 次试用，用后还剩 ${leftAfter} 次`,
  again: (characters: number) => `再生成一次 · ${formatCount(characters)} 字`,
  againTrial: "再生成一次 · 1 次试用",
  noTrial: "试用次数已用完，开通会员可以继续。",
  buy: "加字数",
  join: "开通会员",
} as const;

const namedLetters = 6;

/** Letters of a script that is not read, and whether anything else of the text is. */
export function unreadSentence(letters: readonly string[], isRestRead: boolean): string {
  const named = `“${letters.slice(0, namedLetters).join("、")}”${letters.length > namedLetters ? "等字符" : ""}`;
  const end = isRestRead ? "其余文字照常生成。" : "这里没有能念的文字，请写中文或英文。";
  return `${named}不是中文或英文，不会念出来，${end}`;
}

const signed = (value: number) => `${value > 0 ? "+" : ""}${value}`;

/** Texts of speed, pitch, volume and feeling. */
export const toneCopy = {
  heading: "语气",
  plain: "自然",
  moods: {
    calm: "平静",
    happy: "高兴",
    gentle: "温柔",
    serious: "严肃",
    urgent: "着急",
    sad: "难过",
    angry: "生气",
    surprised: "惊讶",
  },
  mixed: "自定义",
  recorded: "参考录音",
  moodsLabel: "选语气",
  hear: "点一下就能听到这种语气。",
  hearing: (name: string) => `正在准备${name}的试听`,
  sampleTitle: (name: string) => `语气：${name}`,
  sampleText: "今天天气真不错，我们出去走走吧。",
  strength: "强度",
  strengths: { light: "轻微", medium: "适中", strong: "强烈" },
  fine: "细调",
  change: "调整语气",
  fold: "收起",
  offer: (name: string) => `用“${name}”的语气生成，需要专业会员。`,
  join: "开通专业会员",
  speed: "语速",
  speedText: formatSpeed,
  more: "更多语气",
  professional: "专业会员",
  unlock: "开通专业会员，使用语气控制",
  locked: "音高、音量、情绪和参考语气是专业会员的功能。",
  pitch: "音高",
  pitchText: (semitones: number) => (semitones === 0 ? "不变" : `${signed(semitones)} 半音`),
  volume: "音量",
  volumeText: (decibels: number) => (decibels === 0 ? "不变" : `${signed(decibels)} dB`),
  genre: "语气来源",
  genres: { 0: "原声语气", 2: "选择情绪", 1: "参考录音" },
  /** Labels by the contract's names. */
  feelings: {
    happy: "高兴",
    angry: "生气",
    sad: "难过",
    afraid: "害怕",
    disgusted: "厌恶",
    melancholic: "低落",
    surprised: "惊讶",
    calm: "平静",
  },
  feelingsHint: "可以同时选几种，数值越高越明显。",
  feelingText: (weight: number) => `${Math.round(weight * 100)}%`,
  referenceHint: "录一句想要的语气，生成时按它的快慢和轻重来念。",
  reset: "恢复默认",
} as const;

/** Seconds that the pause menus of clone and dubbing offer. */
export const pauseSeconds = [0.3, 0.5, 1, 2] as const;

/** A pause in words, as both menus name it. */
export const formatPause = (seconds: number) => `停顿 ${seconds} 秒`;

/** Texts of the emphasis mark. */
/** Pasted text without what is not spoken. */
export const pastedCopy = {
  tidied: "已去掉粘贴内容里的格式、网址和代码。",
  asIs: "原样",
  asIsHint: "恢复成粘贴时的原样",
} as const;

export const emphasisCopy = {
  action: "重读",
  hint: "重读选中的字，再点一次去掉",
  chooseFirst: "请先选中要重读的字，一次最多 60 字。",
  chips: { start: "重读", end: "止" },
} as const;

const marks: Record<string, string> = { a: "āáǎà", e: "ēéěè", i: "īíǐì", o: "ōóǒò", u: "ūúǔù", ü: "ǖǘǚǜ" };

/** "hang2" → "háng", as dictionaries write it; a fifth tone has no mark, and what is no syllable stays as it is. */
export function formatPinyin(syllable: string): string {
  const { letters, tone } = /^(?<letters>[a-zü]+)(?<tone>[1-5])$/.exec(syllable)?.groups ?? {};
  if (!letters || !tone) return syllable;
  const plain = letters.replace(/v/g, "ü");
  const at = carrierOf(plain);
  const marked = marks[plain[at] ?? ""]?.[Number(tone) - 1];
  return marked ? plain.slice(0, at) + marked + plain.slice(at + 1) : plain;
}

/** Index of the vowel that carries the tone mark: a or e, the o of ou, else the last vowel. */
function carrierOf(plain: string): number {
  const first = [plain.indexOf("a"), plain.indexOf("e"), plain.indexOf("ou")].find((at) => at >= 0);
  return first ?? Math.max(...["i", "o", "u", "ü"].map((vowel) => plain.lastIndexOf(vowel)));
}

/** Texts of the popovers for readings and pauses. */
export const readingCopy = {
  label: "选择读音",
  question: { before: "“", behind: "”的读音" },
  asking: "正在查询读音",
  none: "没有其他读音。",
  listen: (pinyin: string) => `试听${pinyin}`,
  forget: "恢复默认读音",
  save: (word: string) => `“${word}”以后都这样读（我的词典）`,
  saved: (word: string) => `已存入我的词典：${word}`,
  next: "下一个多音字",
  previous: "上一个多音字",
  close: "关闭",
  sampleTitle: (text: string) => `读音：${text}`,
  pauseChip: (value: number) => `停 ${value}`,
  pauseLabel: "停顿时长",
  removePause: "删除停顿",
} as const;

const nameMax = 20;

/** The first sentence of a text, to name its record and its files. */
export function nameFromText(content: string): string {
  const [sentence = ""] = plainText(content)
    .trim()
    .split(/[。！？!?；;\n]/u);
  return [...sentence.replace(/[\\/:*?"<>|]/g, "").trim()].slice(0, nameMax).join("");
}

/** Actions on a finished result; the words of the dialogs that they open load with these. */
export const resultCopy = { share: "分享" } as const;
