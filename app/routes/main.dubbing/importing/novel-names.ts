interface Segment {
  kind: "narration" | "speech";
  text: string;
}

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
export const pronoun = /^[他她](?!们)/u;
export const sentenceEnd = /[。！？!?；;]/u;
/** How somebody speaks, between the name and the verb. */
const manner =
  /(?:[^，,]{1,4}地|.{1,2}着|[大低轻高小齐柔厉]声|[慢冷淡微轻静]{2}|忽然|突然|连忙|急忙|赶紧|立刻|马上|终于|又|也|便|就|却|才|还|再)$/u;

const givenMax = 2;
const longerShare = 0.6;
const foreign = new RegExp(`^${han}{1,6}(?:[·•・]${han}{1,6})+`, "u");

/** What stands before the verb of speaking that ends a sentence; undefined without one. */
export const speakerBefore = (sentence: string): string | undefined => speakingAtEnd.exec(sentence)?.groups?.who;

/** What stands before the verb of speaking that follows a quotation. */
export const speakerBehind = (narration: string): string | undefined => speakingAtStart.exec(narration)?.groups?.who;

/** Names that stand as a subject of speaking, the longer form where it is nearly as frequent as the shorter one. */
export function findNames(segments: readonly Segment[]): Set<string> {
  const narration = segments.filter(({ kind }) => kind === "narration").map(({ text }) => text);
  const whole = segments.map(({ text }) => text).join("\n");
  const countOf = (text: string) => whole.split(text).length - 1;
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
  if (/[老小阿]/u.test(first) && new RegExp(han, "u").test(second)) return first + second;
  if (!surnames.has(first) || !new RegExp(han, "u").test(second)) return null;
  const title = titles.exec(subject.slice(1))?.[0];
  if (title) return first + title;
  if (subject.length <= 1 + givenMax) return subject;
  const short = subject.slice(0, 2);
  const long = subject.slice(0, 1 + givenMax);
  return long.length === 3 && countOf(long) >= 2 && countOf(long) >= longerShare * countOf(short) ? long : short;
}

/** The longest of the names that a clause begins with. */
export function nameAtStart(clause: string, names: ReadonlySet<string>): string | null {
  const start = clause.replace(/^[\s，,“”「」]+/u, "");
  for (let length = Math.min(8, start.length); length > 0; length--) {
    const name = start.slice(0, length);
    if (names.has(name)) return name;
  }
  return null;
}
