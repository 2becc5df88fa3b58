import { type Rule, type RulePart, readCardinal, readDigits, rule } from "./numbers";

const month = "(?<month>0?[1-9]|1[0-2])";
const day = "(?<day>0?[1-9]|[12]\\d|3[01])";
const clock = "(?<hour>[01]?\\d|2[0-4])[:：](?<minute>[0-5]\\d)(?:[:：](?<second>[0-5]\\d))?";
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

const holiday = "(?=\\s*(?:劳动节|国庆|元旦|儿童节|妇女节|青年节|建军节|教师节|放假|假期|长假|黄金周|小长假))";
/** Events and terms named by their digits. */
const eventDays =
  "315(?=晚会|曝光|打假|消费|活动|维权|当天)|618(?=大促|购物|活动|年中|期间|狂欢|促销|当天|预售|电商|来了)|911(?=事件|恐怖|袭击)|" +
  "(?:985|211)(?=[、和与/及]|大学|高校|院校|工程|名校)|(?:996|007)(?=工作|加班|福报|上班|[，。、！？]|$)";

const affection = "520(?=\\s*(?:我爱你|快乐|告白|表白|情人节|礼物|当天))|1314(?=\\s*(?:一生一世|我爱你))";

export const dates: Rule[] = [
  rule(
    /(?<![\d.])(?<month>1[0-2]|[1-9])\s?[·•・]\s?(?<day>3[01]|[12]\d|[1-9])(?!\d)/,
    ({ month: months = "", day: days = "" }) => [
      [`${/^(?:10|11|12)$/.test(months) ? readDigits(months) : readCardinal(months)}${readDigits(days)}`],
    ],
  ),
  rule(new RegExp(`(?<![\\d.])(?<value>${affection})`), ({ value = "" }) => [[readDigits(value)]]),
  rule(new RegExp(`(?<![\\d.])(?<value>${eventDays})`), ({ value = "" }) => [[readDigits(value)]]),
  rule(
    /(?<![\d.A-Za-z第])(?<value>6{3,}|233+|520|521|1314|886|88)(?=\s*(?:$|[，。！？!?,、\s~～]))(?<=(?:^|[，。！？!?,、\s~～])\d+)/,
    ({ value = "" }) => [[readDigits(value)]],
  ),
  rule(new RegExp(`(?<![\\d./])${month}[/.]${day}(?![\\d/.])${holiday}`), (groups) => [readDay(groups)]),
  rule(
    new RegExp(
      `(?<![\\d./])${month}[.]${day}(?<to>\\s*[-~–—～至到]\\s*)(?<month2>0?[1-9]|1[0-2])[.](?<day2>0?[1-9]|[12]\\d|3[01])(?![\\d.])(?=\\s*(?:$|放假|假期|期间|活动|优惠|出游|促销|特惠|有效|[，。）)]))`,
    ),
    ({ month: months, day: days, month2, day2 }) => [
      [`${readDay({ month: months, day: days })[0]}到${readDay({ month: month2, day: day2 })[0]}`],
    ],
  ),
  rule(/(?<=[月年])(?<from>\d{1,2})(?<unit>[日号]?)(?<to>\s*[-~–—～]\s*)(?<end>\d{1,2})(?=\s*[日号])/, (groups) => [
    [`${readCardinal(groups.from ?? "")}${groups.unit}到${readCardinal(groups.end ?? "")}`],
  ]),
  rule(/(?<=[日号月年])(?<to>[-~–—～])(?=\d{1,4}[日号月年])/, () => [["到"]]),
  rule(/(?<![\d/])24\/7(?![\d/])/, () => [["二十四七"]]),
  rule(new RegExp(`(?<![\\d.])(?<year>[12]\\d{3})(?<by>[-/.])${month}\\k<by>${day}(?![\\d.]*\\d)`), readDate),
  rule(
    /(?<![\d.])(?<year>[12]\d{3})(?<to>\s*[-~–—～]+\s*)(?<end>[12]\d{3})(?=\s*(?:年|学年|赛季))/,
    ({ year, end }) => [
      [yearOf(year), "year"],
      ["到", "to"],
      [yearOf(end), "end"],
    ],
  ),
  rule(/(?<![\d.])(?<year>\d{4})(?=\s*年(?:前(?!后)|来|以上|历史|之久|的历史))/, ({ year = "" }) =>
    /00$/.test(year) ? [[readCardinal(year)]] : [[yearOf(year)]],
  ),
  rule(/(?<![\d.])(?<year>[0-2]\d{3})(?=\s*(?:年|届))/, ({ year }) => [[yearOf(year)]]),
  rule(/(?<=公元前?\s?|前)(?<year>\d{3})(?=\s*年)/, ({ year }) => [[yearOf(year)]]),
  rule(/(?<![\d.])(?<year>[5-9][1-9]|0\d)(?=\s*(?:年(?!代|[前来以之])|届))/, ({ year }) => [[yearOf(year)]]),
  rule(/(?<![\d.])(?<year>[5-9][05]|[01][05])(?=后(?!天|[来面续期半者期]))/, ({ year }) => [[yearOf(year)]]),
  rule(
    new RegExp(
      `(?<![\\d:：.])${clock}(?<to>\\s*[-~–—～至到]+\\s*)(?<end>(?:[01]?\\d|2[0-4])[:：][0-5]\\d)(?![\\d:：])`,
    ),
    (groups) => {
      const [hour, minute] = (groups.end ?? "").split(/[:：]/);
      return [[`${readClock(groups)}到${readClock({ hour, minute })}`]];
    },
  ),
  rule(new RegExp(`(?<![\\d:：.])${clock}\\s?(?<half>[AaPp])\\.?[Mm]\\.?(?![A-Za-z])`), (groups) => [
    [`${groups.half?.toLowerCase() === "a" ? "上午" : "下午"}${readClock(groups)}`],
  ]),
  rule(
    new RegExp(
      `(?<![\\d:：.]|[比以]分?\\s?)${clock}(?![\\d:：]|\\s*(?:获胜|击败|战胜|领先|落后|大胜|大败|险胜|取胜|战平|的比))`,
    ),
    (groups) => [[readClock(groups)]],
  ),
];
