import { readCardinal, readDigits } from "./numbers";
import { type Rule, rule, type Said } from "./rule";

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

function readDate({ year, month: months = "", day: days = "" }: Record<string, string | undefined>): Said[] {
  return [
    [`${yearOf(year)}年`, "year"],
    [`${readCardinal(months)}月`, "month"],
    [`${readCardinal(days)}日`, "day"],
  ];
}

export const dates: Rule[] = [
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
