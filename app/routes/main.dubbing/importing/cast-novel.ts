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

const han = "\\p{Script=Han}";
const speaking =
  "(?:说道|问道|答道|喊道|叫道|笑道|骂道|哭道|叹道|吼道|嚷道|回答|回应|反驳|解释|补充|吩咐|嘱咐|提醒|催促|开口|低语|呢喃|嘟囔|嘀咕|抱怨|感叹|大叫|大喊|惊呼|追问|反问|质问|插嘴|接话|接口|应声|说|道|问|答|喊|叫|骂|嚷|吼|叹|笑|哭|念|唱)(?:道|着|了)?(?:一句|一声|起来|下去)?";
const speakingAtEnd = new RegExp(`^(?<who>.{0,24}?)${speaking}[^。！？!?，,]{0,6}[：:，,]?$`, "u");
const speakingAtStart = new RegExp(`^[，,]?(?<who>[^。！？!?，,：:；;]{0,16}?)${speaking}`, "u");

/** Surnames by frequency, as they stand first in a name. */
const surnames = new Set(
  "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆范汪廖石金韦贾夏付方邹熊白孟秦邱侯江尹薛闫雷龙黎史陶贺毛郝顾龚邵万覃武钱戴严莫孔向常汤康易乔赖文葛柳岳梅庄祝温阮纪倪欧裴凌霍",
);
const titles =
  /^(?:(?:老|小|大|阿|二|三)?(?:爷爷|奶奶|外公|外婆|姥姥|爸爸|妈妈|父亲|母亲|爹|娘|哥哥|姐姐|弟弟|妹妹|叔叔|阿姨|老师|先生|太太|医生|大夫|护士|师傅|师父|老板|掌柜|经理|队长|班长|校长|警察|司机|老人|老头|老太太|女孩|男孩|女人|男人|少年|少女|姑娘|孩子|小伙子|管家|将军|皇上|公主|国王|王子))/u;
const pronoun = /^[他她](?!们)/u;
const sentenceEnd = /[。！？!?；;]/u;
/** Adverbs of manner between the name and the verb of speaking. */
const manner =
  /(?:[^，,]{1,4}地|.{1,2}着|[大低轻高小齐柔厉]声|[慢冷淡微轻静]{2}|忽然|突然|连忙|急忙|赶紧|立刻|马上|终于|又|也|便|就|却|才|还|再)$/u;

const hanCharacter = new RegExp(han, "u");
const givenMax = 2;
const longerShare = 0.6;
const foreign = new RegExp(`^${han}{1,6}(?:[·•・]${han}{1,6})+`, "u");

const speakerBefore = (sentence: string) => speakingAtEnd.exec(sentence)?.groups?.who;
const speakerBehind = (narration: string) => speakingAtStart.exec(narration)?.groups?.who;

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
    const { directions: _, ...place } = line;
    return segments ? castParagraph(segments, names, talk).map((cast) => ({ ...place, ...cast })) : [line];
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

function castParagraph(segments: readonly Segment[], names: ReadonlySet<string>, talk: Talk): ParsedLine[] {
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
  const sentences = textOf(at - 1).split(sentenceEnd);
  const lastSentence = sentences.filter(Boolean).at(-1) ?? "";
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

/** Characters of narration that end a dialogue. */
const talkGapMax = 120;
/** The speakers of the running dialogue, for quotations without a named speaker. */
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

  /** The other speaker of the dialogue; the only one where there is no second. */
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

/** Names that stand as a subject of speaking, the longer form where it is nearly as frequent as the shorter one. */
function findNames(segments: readonly Segment[]): Set<string> {
  const narration = segments.filter(({ kind }) => kind === "narration").map(({ text }) => text);
  const whole = segments.map(({ text }) => text).join("\n");
  const counts = new Map<string, number>();
  const countOf = (text: string) => counts.get(text) ?? counts.set(text, whole.split(text).length - 1).get(text) ?? 0;
  const found = new Set<string>();
  for (const text of narration) {
    const subjects = [speakerBehind(text), ...text.split(sentenceEnd).map((clause) => speakerBefore(clause))];
    for (const who of subjects) {
      const name = who === undefined ? null : toName(who.split(/[，,：:]/u)[0] as string, countOf);
      if (name) found.add(name);
    }
  }
  return found;
}

function toName(clause: string, countOf: (text: string) => number): string | null {
  let subject = clause.trim();
  while (manner.test(subject)) subject = subject.replace(manner, "");
  if (/^我(?!们)/u.test(subject)) return "我";
  const whole = foreign.exec(subject)?.[0] ?? titles.exec(subject)?.[0];
  if (whole) return whole;
  const [first = "", second = ""] = subject;
  if (/[老小阿]/u.test(first) && hanCharacter.test(second)) return first + second;
  if (!surnames.has(first) || !hanCharacter.test(second)) return null;
  const title = titles.exec(subject.slice(1))?.[0];
  if (title) return first + title;
  if (subject.length <= 1 + givenMax) return subject;
  const short = subject.slice(0, 2);
  const long = subject.slice(0, 1 + givenMax);
  return long.length === 3 && countOf(long) >= 2 && countOf(long) >= longerShare * countOf(short) ? long : short;
}

/** The longest of the names that a clause begins with. */
function nameAtStart(clause: string, names: ReadonlySet<string>): string | null {
  const start = clause.replace(/^[\s，,“”「」]+/u, "");
  for (let length = Math.min(8, start.length); length > 0; length--) {
    const name = start.slice(0, length);
    if (names.has(name)) return name;
  }
  return null;
}
