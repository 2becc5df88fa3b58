import spokenUnits from "./units.json" with { type: "json" };
import written from "./written-forms.json" with { type: "json" };

/** Spoken text of one part of a match, and the named group it comes from (default: the whole match). */
export type RulePart = readonly [spoken: string, group?: string];

/** Expands one written form. Patterns are sticky; `read` returns parts in written order, or null: the next rule tries. */
export interface Rule {
  pattern: RegExp;
  read(groups: Record<string, string | undefined>): readonly RulePart[] | null;
}

/** An integer or decimal, with or without thousands separators. */
export const numberPattern = "\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d+(?:\\.\\d+)?";

export function rule(pattern: RegExp, read: Rule["read"]): Rule {
  return { pattern: new RegExp(pattern.source, "dyu"), read };
}

const lists: Record<string, string | undefined> = written.lists;
const readers: Record<string, ((digits: string) => string) | undefined> = { serial: readSerial, digits: readDigits };

/** Rules of `written-forms.json` that speak the whole match: its digits by the named reader, or else the key itself. */
export function toRules(patternsByReader: Record<string, readonly string[]>): Rule[] {
  return Object.entries(patternsByReader).flatMap(([spoken, patterns]) => {
    const read = readers[spoken] ?? (() => spoken);
    return patterns.map((pattern) => {
      const withLists = pattern.replace(/\{([a-z]\w*)\}/gi, (_, name: string) => `(?:${lists[name]})`);
      return rule(new RegExp(`(?<value>${withLists})`), ({ value = "" }) => [[read(value.replace(/\D/g, ""))]]);
    });
  });
}

const digitNames = "零一二三四五六七八九";
const places = ["", "十", "百", "千"];
const longestCardinal = 16;

/** "2024" → 二零二四. */
export function readDigits(digits: string): string {
  return [...digits].map((digit) => digitNames[Number(digit)] ?? digit).join("");
}

/** Telephone and identity numbers: "110" → 幺幺零. */
export function readSerial(digits: string): string {
  return readDigits(digits).replaceAll("一", "幺");
}

/** An integer of up to 16 digits; longer ones are read digit by digit. */
export function readCardinal(written: string): string {
  const digits = written.replace(/^0+(?=\d)/, "");
  if (digits.length > longestCardinal) return readDigits(digits);
  if (digits === "0") return "零";
  return readPositive(digits)
    .replace(/^一十/, "十")
    .replace(/^二(?=[千万亿])/, "两");
}

/** "3.14" → 三点一四, "12" → 十二. */
export function readNumber(written: string): string {
  const [whole = "", fraction] = written.replaceAll(",", "").split(".");
  return readCardinal(whole || "0") + (fraction ? `点${readDigits(fraction)}` : "");
}

/** "5.50" → "5.5". */
export const trimZeros = (written: string) => (written.includes(".") ? written.replace(/\.?0+$/, "") : written);

/** Expects no leading zeros. */
function readPositive(digits: string): string {
  for (const [length, unit] of [
    [8, "亿"],
    [4, "万"],
  ] as const) {
    if (digits.length <= length) continue;
    const high = readPositive(digits.slice(0, -length));
    const low = digits.slice(-length);
    return `${high === "二" ? "两" : high}${unit}${readLower(low)}`;
  }
  return readSection(digits);
}

function readLower(digits: string): string {
  const rest = digits.replace(/^0+/, "");
  if (!rest) return "";
  const read = readPositive(rest);
  return rest.length < digits.length ? `零${read}` : read.replace(/^二(?=千)/, "两");
}

/** One to four digits without leading zeros. */
function readSection(digits: string): string {
  let read = "";
  let skipped = false;
  for (const [index, digit] of [...digits].entries()) {
    const place = digits.length - 1 - index;
    if (digit === "0") {
      skipped = true;
      continue;
    }
    if (skipped) read += "零";
    skipped = false;
    const name = digit === "2" && place >= 2 && index === 0 ? "两" : readDigits(digit);
    read += name + places[place];
  }
  return read;
}

/** Spoken units by symbol; case-sensitive (g is 克, G is a letter). */
export const units: Record<string, string> = spokenUnits;

export const unitPattern = Object.keys(units)
  .sort((left, right) => right.length - left.length)
  .join("|");

/** Words that begin with the character of a measure word: 耳机2支持. */
const notCounted =
  "支[持付援出配撑]|包[含括邮]|首[发次款批先创]|升级|部[署分件]|下[载单架线一]|成[为功员]|组[成合件]|对[比应战阵手]|根据|位[于置]|本[身质次]|种植|条[件款]|点[击赞评]|排名|片段|户[外型]|节能|道具|口碑|项目|场[景地均]|名为|头像|股票|门[店票口]|盘点|台式|张开|把握|层次|列[表为]|副驾|封面|架构|批量|家[用居]|群聊|卷[积曲]";

/** A single 2 before one of these is read 两. */
export const measureWords = `(?!${notCounted})(?:${[
  "个人?|只|条|张|本|位|件|种|次(?!方)|天(?!干)|夜(?![里间])|晚(?!上)|年(?!级|[0-9])|名|家|间|支|枝|块|片|棵|辆|台|部|杯|瓶|碗|盘|袋|包|盒|箱|双|对|套|份|篇|首|句|页|行|列|排|段|层",
  "元|毛|美元|欧元|英镑|分钟|小时|秒钟?|周(?!年)|星期|点钟?|倍|岁|米|公里|千米|厘米|毫米|公斤|千克|克|斤|吨|升|毫升|亩|平方|立方|万|亿|千|百",
  "把|勺|根|颗|粒|匹|头|架|艘|座|栋|幢|扇|场|顿|遍|趟|下|口|股|笔|项|门|节|滴|朵|串|堆|群|批|组|副|幅|封|道|名|员|户|枚|款|瓣|卷|集团|成(?!都)|半|刻钟|寸|尺|里(?!面)|折|罐|桶|锅|壶|捆|摞|筐|篮(?!球)|坛|缸|碟|听(?![力说])|针|例|桩|局(?!长)|轮|集(?![团合中])|站(?![台长])|圈|步(?!骤)|招|餐|样(?![本品子])",
].join("|")})`;
