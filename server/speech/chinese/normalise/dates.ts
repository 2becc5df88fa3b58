import { measureWords, type Rule, type RulePart, readCardinal, readDigits, rule, toRules } from "./numbers";
import written from "./written-forms.json" with { type: "json" };

const modernYear = "(?<year>(?:19|20)\\d{2})";
const month = "(?<month>0?[1-9]|1[0-2])";
const day = "(?<day>0?[1-9]|[12]\\d|3[01])";
const clock = "(?<hour>[01]?\\d|2[0-4])[:：](?<minute>[0-5]\\d)(?:[:：](?<second>[0-5]\\d))?";
const halfOf = (written = "") => (/a/i.test(written) ? "上午" : "下午");
const yearOf = (written = "") => readDigits(written);

function readClock({ hour = "", minute = "", second }: Record<string, string | undefined>): string {
  const hours = hour === "2" || hour === "02" ? "两" : readCardinal(hour);
  const minutes =
    minute === "00" && !second ? "" : `${minute.startsWith("0") ? readDigits(minute) : readCardinal(minute)}分`;
  return `${hours}点${minutes.replace(/^零零/, "零")}${second ? `${readCardinal(second)}秒` : ""}`;
}

function readDay({ month: months = "", day: days = "" }: Record<string, string | undefined>): RulePart {
  return [`${readCardinal(months)}月${readCardinal(days)}日`];
}

function readDate({ year, month: months = "", day: days = "" }: Record<string, string | undefined>): RulePart[] {
  return [
    [`${yearOf(year)}年`, "year"],
    [`${readCardinal(months)}月`, "month"],
    [`${readCardinal(days)}日`, "day"],
  ];
}

const holiday =
  "(?=\\s*(?:劳动节|国庆|元旦|儿童节|妇女节|青年节|建军节|教师节|放假|假期|长假|黄金周|小长假|是?(?:圣诞|平安夜|情人节|愚人节|植树节|护士节|光棍节)|开[抢售卖播团]))";
const { occasion, monthBefore, monthAfter, dayEnd, decided } = written.lists;

export const dates: Rule[] = [
  rule(new RegExp(`(?<![\\d.]|[号码][：:]?)${modernYear}${month}${day}(?![\\d.万亿元个人次块件]|\\s*%)`), readDate),
  rule(
    /(?<![\d.])(?<year>(?:19|20)\d{2})\.(?<month>1[0-2]|[1-9])(?<to>\s*[-~–—～至]\s*)(?=(?:19|20)\d{2}\.(?:1[0-2]|[1-9])(?!\d))|(?<=(?:19|20)\d{2}\.\d{1,2}\s*[-~–—～至]\s*)(?<end>(?:19|20)\d{2})\.(?<last>1[0-2]|[1-9])(?!\d)/,
    ({ year, end, month: months, last = "", to }) => [
      [`${yearOf(year ?? end)}年${readCardinal(months ?? last)}月${to ? "到" : ""}`],
    ],
  ),
  rule(new RegExp(`(?<![\\d./])${month}/${day}/${modernYear}(?![\\d/.])`), readDate),
  rule(
    new RegExp(
      `(?<![\\d.§第])(?<month>1[0-2]|[1-9])(?:\\s?[·•・]\\s?|\\.(?=\\d{1,2}(?:${occasion})))(?<day>3[01]|[12]\\d|[1-9])(?!\\d)`,
    ),
    ({ month: months = "", day: days = "" }) => [
      [`${/^(?:10|11|12)$/.test(months) ? readDigits(months) : readCardinal(months)}${readDigits(days)}`],
    ],
  ),
  ...toRules(written.dates),
  rule(
    new RegExp(
      `(?<![\\d./])(?<month>0?[1-9]|1[0-2])/${modernYear}(?![\\d/.])|(?<by>(?<![\\d.])(?:19|20)\\d{2})\\.(?<of>0?[1-9]|1[0-2])(?![\\d.%])(?:(?=\\s?(?:${monthAfter}))|(?<=(?:${monthBefore})[是为：:\\s]{0,2}\\d{4}\\.\\d{1,2})(?!\\s?(?:${measureWords})))`,
    ),
    ({ year, month: months, by, of = "" }) => [[`${yearOf(year ?? by)}年${readCardinal(months ?? of)}月`]],
  ),
  rule(new RegExp(`(?<![\\d./])${month}[/.]${day}(?![\\d/.])${holiday}`), (groups) => [readDay(groups)]),
  rule(/(?<![\d./-])(?<month>0[1-9]|1[0-2])[-/](?<day>0[1-9]|[12]\d|3[01])(?=\s[012]?\d[:：][0-5]\d)/, (groups) => [
    readDay(groups),
  ]),
  rule(
    new RegExp(
      `(?<![\\d./])${month}[.]${day}(?<to>\\s*[-~–—～至到]\\s*)(?<month2>0?[1-9]|1[0-2])[.](?<day2>0?[1-9]|[12]\\d|3[01])(?![\\d.])(?=\\s*(?:$|放假|假期|期间|活动|优惠|出游|促销|特惠|有效|[，。）)]))`,
    ),
    ({ month: months, day: days, month2, day2 }) => [
      [`${readDay({ month: months, day: days })[0]}到${readDay({ month: month2, day: day2 })[0]}`],
    ],
  ),
  rule(
    new RegExp(
      `(?<=\\d{4}\\1\\d{1,2}([-/.])\\d{1,2}\\s*[-~–—～至到]+\\s*)${month}\\1${day}(?!\\d)|(?<![\\d.])(?<month2>0?[1-9]|1[0-2])\\.(?<day2>3[01]|[12]?\\d)(?=日)`,
    ),
    ({ month: months, day: days, month2, day2 }) => [
      [`${readCardinal(months ?? month2 ?? "")}月${readCardinal(days ?? day2 ?? "")}${months ? "日" : ""}`],
    ],
  ),
  rule(
    new RegExp(
      `(?:(?<![\\d./A-Za-z第])|(?<=(?:自|截至|日期[：:]?)\\s?))${month}/${day}(?![\\d/.])(?=\\s?(?:${dayEnd}))`,
    ),
    (groups) => [readDay(groups)],
  ),
  rule(/(?<![\d.:：])0(?<value>[1-9])(?=月|日)|(?<=月\s?)0(?<day>[1-9])(?=号)/, ({ value, day: days }) => [
    [readCardinal(value ?? days ?? "")],
  ]),
  rule(new RegExp(`(?<![\\d.])(?<year>[12]\\d{3})(?<by>[-/.])${month}\\k<by>${day}(?![\\d.]*\\d)`), readDate),
  rule(
    /(?<![\d.])(?<year>(?:19|20)\d{2})(?:[-/](?=0)|[-/](?=1[0-2](?!\s*(?:年|学年|赛季|页)))|\.(?=\d{2}\s*[-~–—～至]\s*(?:(?:19|20)\d|至?今))|(?<=(?:19|20)\d{2}\.\d{2}\s*[-~–—～至]\s*\d{4})\.)(?<month>0[1-9]|1[0-2])(?![\d.]|[-/]\d{1,2}(?!\d))(?<to>\s*[-~–—～]\s*(?=(?:19|20)\d|至?今))?/,
    ({ year, month: months = "", to }) => [[`${yearOf(year)}年${readCardinal(months)}月${to ? "到" : ""}`]],
  ),
  rule(
    /(?<![\d.])(?<year>[12]\d{3})(?<to>\s*[-~–—～]+\s*|\/(?=\d+(?:赛季|学年)))(?<end>[12]\d{3}|\d{2}(?=赛季|学年))(?=\s*(?:年|学年|赛季|(?<=[(（]\d{4}\D+\d{4})[)）]))/,
    ({ year, end }) => [
      [yearOf(year), "year"],
      ["到", "to"],
      [yearOf(end), "end"],
    ],
  ),
  rule(/(?<![\d.])(?<decade>[1-9]0)['’]s(?![A-Za-z])/, ({ decade = "" }) => [[`${readCardinal(decade)}年代`]]),
  rule(/(?<year>(?:1[89]|20)\d0)s(?![A-Za-z])/, ({ year }) => [[`${yearOf(year)}年代`]]),
  rule(/(?<![\d.])(?<year>\d{4})(?=\s*年(?:前(?!后)|来|以上|历史|之久|的历史))/, ({ year = "" }) =>
    /00$/.test(year) ? [[readCardinal(year)]] : [[yearOf(year)]],
  ),
  ...toRules(written.years),
  rule(/(?<=\dh\s?)(?<minutes>\d{1,2})m(?![A-Za-z])/, ({ minutes = "" }) => [[`${readCardinal(minutes)}分钟`]]),
  rule(/(?<![\d:：.])(?<hour>1[0-2]|[1-9])\s?(?<half>[AaPp])\.?[Mm]\.?(?![A-Za-z\d])/, ({ hour = "", half }) => [
    [`${halfOf(half)}${readClock({ hour, minute: "00" })}`],
  ]),
  rule(new RegExp(`(?<![\\d:：.])${clock}\\s?(?<half>[AaPp])\\.?[Mm]\\.?(?![A-Za-z])`), (groups) => [
    [`${halfOf(groups.half)}${readClock(groups)}`],
  ]),
  rule(
    /(?<![\d:：.])(?<minutes>\d{1,2})[:：](?<seconds>[0-5]\d)\.(?<part>\d{1,3})(?!\d)/,
    ({ minutes = "", seconds = "", part = "" }) => [
      [`${readCardinal(minutes)}分${readCardinal(seconds)}秒${readDigits(part)}`],
    ],
  ),
  rule(
    /(?<=(?:比分|[局盘]分)[^，。\d]{0,4}(?:\d{1,3}[:：]\d{1,3}\s?[、，,和与]\s?){1,6})(?<left>\d{1,3})[:：](?<right>\d{1,3})/,
    ({ left = "", right = "" }) => [[`${readCardinal(left)}比${readCardinal(right)}`]],
  ),
  rule(
    /(?<=(?:成绩|[用耗]时|时长|跑[出进了]|以)[是为：:]?\s?)(?<hours>\d{1,2})[:：](?<minutes>[0-5]\d)[:：](?<seconds>[0-5]\d)(?!\d)/,
    ({ hours = "", minutes = "", seconds = "" }) => [
      [`${readCardinal(hours)}小时${readCardinal(minutes)}分${readCardinal(seconds)}秒`],
    ],
  ),
  rule(
    new RegExp(
      `(?<![\\d:：.]|[比以局盘]分?\\s?)${clock}(?![\\d:：]|(?:[、，,]\\s?\\d{1,2}[:：]\\d\\d)*\\s*(?:${decided}))`,
    ),
    (groups) => [[readClock(groups)]],
  ),
];
