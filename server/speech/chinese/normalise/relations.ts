import {
  measureWords,
  numberPattern,
  type Rule,
  readCardinal,
  readNumber,
  rule,
  toRules,
  trimZeros,
  unitPattern,
  units,
} from "./numbers";
import signs from "./signs.json" with { type: "json" };
import written from "./written-forms.json" with { type: "json" };

const outcome =
  "\\s*[，,]?\\s*(?:的?比分|的?成绩|获胜|击败|战胜|领先|落后|大胜|大败|险胜|取胜|战平|力克|逆转|惜败|负于|不敌|打平|战成|握手言和|告负|完胜|拿下|胜出|晋级|淘汰|横扫|[追扳][到成至平]|反超)";
const pair = "\\d{1,3}[-–—]\\d{1,3}";
/** Characters before a minus sign: verbs, and last characters of quantities (净利润, 海拔, 增长率, 余额, 温差). */
const negativeAfter =
  "为是达到至约跌降温值于得在从低了和与或有减加乘等润拔率额量差益速压亏标深分的求算入填写令设取去以上";
/** Letters of a formula that are no function or word: 2ab, F=ma. */
const product =
  "(?!(?:sin|cos|tan|cot|sec|log|lim|max|min|exp|mod|the|age|key|sum|avg|and|or|if|is|pi|ok)(?![a-z]))[a-z]{2,3}(?![A-Za-z])";
const operators: Record<string, string> = signs.operators;

const readPair = (by: string) => (groups: Record<string, string | undefined>) =>
  [
    [readNumber(groups.left ?? ""), "left"],
    [by, "by"],
    [readNumber(groups.right ?? ""), "right"],
  ] as const;

export const relations: Rule[] = [
  ...toRules(written.relations),
  rule(
    new RegExp(
      `(?<![\\d.])(?<left>\\d{1,3})(?<by>\\s?[-–—]\\s?)(?<right>\\d{1,3})(?=(?:[、，,]\\s?${pair})*${outcome})`,
    ),
    readPair("比"),
  ),
  rule(
    /(?<=(?:[队足篮排联]|主场|客场|中国|我国|日本|韩国|巴西|德国|法国|英格兰|西班牙|意大利|阿根廷|葡萄牙|荷兰|皇马|巴萨)\s?)(?<left>\d{1,3})(?<by>[-–—])(?<right>\d{1,3})(?=\p{Script=Han}{1,6}(?:[队，。！,]|$))(?![年月日号时分期章节集回届楼层级周天度人个名])/u,
    readPair("比"),
  ),
  rule(
    new RegExp(
      `(?<=(?:比分|[局盘]分?|半场|点球大战|总分|第[一二三四1-4]节[^，。\\d]{0,4}|[追扳][到成至平]为?|反超[到成至为])[是为以定格在从由：:\\s]{0,4}(?:${pair}\\s?(?:[、，,和与及]|以及)\\s?){0,6})(?<left>\\d{1,3})(?<by>\\s?[-–—]\\s?)(?<right>\\d{1,3})(?!\\d)`,
    ),
    readPair("比"),
  ),
  rule(
    /(?<=(?<higher>\d{1,3})[-–—](?<lower>\d{1,3})[、，,和]\s?)(?<left>\d{1,3})(?<by>[-–—])(?<right>\d{1,3})(?![\d.%])/,
    ({ higher, lower, ...pair }) => (Number(higher) > Number(lower) ? readPair("比")(pair) : null),
  ),
  rule(
    new RegExp(
      `(?<=(?:[见如及和与、，。（(据由从在照看]|^)\\s?[图表式]\\s?)(?<left>\\d{1,2})(?<by>[-–—])(?<right>\\d{1,2})(?![\\d.%:-]|\\s?(?:${measureWords}|[年月日号章节]))(?=(?<isOne>所示|中(?![间部])|给出|列出|可知)?)`,
    ),
    ({ left = "", right = "", isOne }) =>
      isOne || Number(left) >= Number(right) ? readPair("杠")({ left, right }) : null,
  ),
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
      `(?<![\\d.-]|满\\s?|[=+×÷]\\s?|[+×÷*]\\s?[(（])(?<left>${numberPattern})(?<by>\\s*[-~–—～]{1,2}\\s*)(?=(?<right>${numberPattern})(?!\\s*[=+×÷*]|-?\\d|[)）]\\s?[=+×÷*])(?<unit>\\s?(?:${measureWords}|${unitPattern}|[年月日号楼层页章度]))?)`,
    ),
    ({ left = "", by = "", right = "", unit }) => {
      if (/^0\d|^\d{5,}/.test(left) || (!unit && right.length > left.length + 2)) return null;
      const isFalling = /[-–]/.test(by) && Number(left) >= Number(right);
      return [
        [left === "2" && isCounted(unit) ? "两" : readNumber(left), "left"],
        [((isFalling || left === "0") && fallingJoints[unit ?? ""]) || "到", "by"],
      ];
    },
  ),
  rule(
    /(?<=[\d)a-z²³]\s?)(?<by>[-+−×✕÷=≈≠><≥≤*]|(?<=[\d)]\s?)[xX](?=\s?\d+(?!D))|\/(?=\s?\d))(?=\s?[-−]?(?:[\d(]|[a-zA-Z](?![a-zA-Z]{2})))|(?<!\d)(?<sign>[≈≥≤><])(?=\s?\d)/,
    ({ by, sign = "" }) => [[operators[by ?? sign] ?? ""]],
  ),
  rule(
    new RegExp(
      `(?<=[=+−×÷^]\\s?\\d*|(?:[\\d²³)]|=[\\dA-Za-z²³+×()]{0,8})\\s?-\\s?\\d*)(?<value>${product})|(?<![A-Za-z])(?<first>${product})(?=\\s?[²³^=+−×÷<>≤≥])`,
    ),
    ({ value, first = "" }) => [[value ?? first]],
  ),
  rule(
    new RegExp(
      `(?:(?<![\\dA-Za-z\\p{Script=Han})])|(?<=[${negativeAfter}]|[支算得求解转取流提汇划]出|[写变改换化]成|[同环]比))(?<sign>[-−])(?<value>${numberPattern})(?=(?<money>元)?)(?:\\s?(?<unit>${unitPattern})(?![A-Za-z]|\\s?[-+−×=*^]))?`,
    ),
    ({ value = "", money, unit }) => [
      ["负", "sign"],
      [readNumber(money ? trimZeros(value) : value), "value"],
      ...(unit ? [[units[unit] ?? unit, "unit"] as const] : []),
    ],
  ),
  rule(new RegExp(`(?<value>${numberPattern})`), ({ value = "" }) => [[readWhole(value)]]),
];

/** Between a number and a smaller one: the score 3-1, the house 12-3号. */
const fallingJoints: Record<string, string | undefined> = { "": "比", 号: "杠" };

/** A counted number of things, not a place in an order. */
const isCounted = (unit = "") => !/^\s?(?:[年月日号楼层页章度行列]|$)/.test(unit);

const readWhole = (value: string) =>
  value.includes(".") || value.includes(",") ? readNumber(value) : readCardinal(value);
