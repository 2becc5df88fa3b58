import { measureWords, numberPattern, type Rule, readCardinal, readNumber, rule } from "./numbers";
import signs from "./signs.json" with { type: "json" };

const outcome =
  "\\s*(?:的?比分|的?成绩|获胜|击败|战胜|领先|落后|大胜|大败|险胜|取胜|战平|力克|逆转|惜败|负于|告负|完胜)";
/** Characters before a minus sign: verbs, and last characters of quantities (净利润, 海拔, 增长率, 余额, 温差). */
const negativeAfter = "为是达到至约跌降温值于得在从低了和与或有减加乘等润拔率额量差益速压亏标深分";
const operators: Record<string, string> = signs.operators;

const readPair = (by: string) => (groups: Record<string, string | undefined>) =>
  [
    [readNumber(groups.left ?? ""), "left"],
    [by, "by"],
    [readNumber(groups.right ?? ""), "right"],
  ] as const;

export const relations: Rule[] = [
  rule(new RegExp(`(?<![\\d.])(?<left>\\d{1,3})(?<by>\\s?[-–—]\\s?)(?<right>\\d{1,3})(?=${outcome})`), readPair("比")),
  rule(
    /(?<=(?:[队足篮排联]|主场|客场|中国|我国)\s?)(?<left>\d{1,3})(?<by>[-–—])(?<right>\d{1,3})(?=\p{Script=Han}{1,6}(?:[队，。！,]|$))(?![年月日号时分期章节集回届楼层级周天度人个名])/u,
    readPair("比"),
  ),
  rule(/(?<=比分[是为定格在：:\s]{0,4})(?<left>\d{1,3})(?<by>\s?[-–—]\s?)(?<right>\d{1,3})(?!\d)/, readPair("比")),
  rule(
    new RegExp(
      `(?<=[\\p{Script=Han}A-Z])(?<![第从约前后达至过每]\\s?)(?<left>\\d{1,3})(?<by>[-–—])(?<right>\\d{1,3})(?![\\d.%])(?=\\p{Script=Han})(?!${measureWords}|[年月日号时分期章节集回届楼层级周天章度])`,
    ),
    ({ left = "", right = "" }) => (Number(left) >= Number(right) ? readPair("比")({ left, right }) : null),
  ),
  rule(
    new RegExp(`(?<![\\d.])(?<left>${numberPattern})(?<by>\\s?[:：∶]\\s?)(?<right>${numberPattern})`),
    readPair("比"),
  ),
  rule(
    new RegExp(
      `(?<![\\d.-])(?<left>${numberPattern})(?<by>\\s*[-~–—～]{1,2}\\s*)(?<right>${numberPattern})(?!\\s*=|-?\\d)`,
    ),
    ({ left = "", right = "" }) =>
      /^0\d|^\d{5,}/.test(left)
        ? null
        : [
            [readNumber(left), "left"],
            ["到", "by"],
            [readNumber(right), "right"],
          ],
  ),
  rule(/(?<=[\d)a-z²³]\s?)(?<by>[-+−×✕÷=≈≠><≥≤*]|[xX/](?=\s?\d))(?=\s?[-−]?[\d(a-zA-Z])/, ({ by = "" }) => [
    [operators[by] ?? ""],
  ]),
  rule(/(?<![\d])(?<by>[≈≥≤><])(?=\s?\d)/, ({ by = "" }) => [[operators[by] ?? ""]]),
  rule(/(?<by>±)(?=\s?\d)/, () => [["正负"]]),
  rule(
    new RegExp(`(?:(?<![\\dA-Za-z\\p{Script=Han})])|(?<=[${negativeAfter}]))(?<sign>[-−])(?<value>${numberPattern})`),
    ({ value = "" }) => [
      ["负", "sign"],
      [readNumber(value), "value"],
    ],
  ),
  rule(new RegExp(`(?<value>${numberPattern})`), ({ value = "" }) => [[readWhole(value)]]),
];

const readWhole = (value: string) =>
  value.includes(".") || value.includes(",") ? readNumber(value) : readCardinal(value);
