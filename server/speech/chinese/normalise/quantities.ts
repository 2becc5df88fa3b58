import {
  measureWords,
  numberPattern,
  type Rule,
  type RulePart,
  readCardinal,
  readDigits,
  readNumber,
  rule,
  trimZeros,
  unitPattern,
  units,
} from "./numbers";
import written from "./signs.json" with { type: "json" };

const to = "(?<to>\\s*[-~–—～]{1,2}\\s*)";
const currencies: Record<string, string> = written.currencies;
const currencyPattern = Object.keys(currencies)
  .sort((left, right) => right.length - left.length)
  .map((sign) => sign.replace("$", "\\$"))
  .join("|");
const currency = `(?<![A-Za-z])(?<currency>${currencyPattern})`;
const currencyNames = "(?<named>人民币|美元|元|块钱?|港元|港币|欧元|英镑|日元|澳元|加元)?";
/** Suffixes of English amounts: $300M is read 三亿美元. */
const englishScales: Record<string, number> = { K: 1e3, M: 1e6, B: 1e9 };
const isoCodes = Object.keys(currencies)
  .filter((sign) => /^[A-Z]{3}$/.test(sign))
  .join("|");
/** Text before and after the slash of a price or rate: 3.5元/斤, 20人/次. */
const perBefore =
  "[¥$€£]\\s?[\\d.,]+|\\d[%‰]|\\d⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+|\\^[-−]?\\d+|[元块角分毛万亿人次件个台辆升吨度页字转圈滴帧拍]|美元|公里|千克|公斤|毫克|微克|毫升|" +
  `\\d\\s?(?:${unitPattern}|[KMGT]B?|[粒片板支瓶包袋盒条只张套枚颗罐听])`;
const perAfter =
  "盎司|加仑|公?斤|千克|克|吨|个|件|人|天|日|月|年|周|小?时|分钟?|秒|次|平方?米|立方米|公?里|升|毫升|瓶|盒|箱|袋|[张套间晚位台只条份片粒颗支包碗杯根块盘罐桶课节场局页字篇单桌板]|度|户|亩|股|㎡|m[²³]|kg|km|[hLg](?![A-Za-z])|[KMGT]B?(?![A-Za-z])";
const scale: Record<string, string> = { "%": "百分之", "‰": "千分之", "‱": "万分之" };
const signs: Record<string, string> = { "-": "负", "−": "负", "+": "正", "±": "正负" };
const unitOf = (written = "") => units[written] ?? written;
const percentOf = (written = "", by = "%") => (written === "100" && by === "%" ? "百" : readNumber(written));

export const quantities: Rule[] = [
  rule(
    new RegExp(
      `${currency}\\s?(?<from>${numberPattern})${to}(?:${currencyPattern})?(?<end>${numberPattern})(?<scale>[万亿千百])?${currencyNames}`,
    ),
    (groups) => [
      [readNumber(groups.from ?? ""), "from"],
      ["到", "to"],
      [`${readNumber(groups.end ?? "")}${groups.scale ?? ""}${currencies[groups.currency ?? ""]}`, "end"],
    ],
  ),
  rule(
    new RegExp(
      `(?<minus>[-−])?${currency}\\s?(?<value>${numberPattern})(?:(?<english>[KMB])(?![A-Za-z])|(?<scale>[万亿千百]+))?${currencyNames}`,
    ),
    ({ minus, currency: sign = "", value = "", scale: by = "", english = "" }) => [
      [`${minus ? "负" : ""}${readAmount(value, english)}${by}${currencies[sign]}`],
    ],
  ),
  rule(
    new RegExp(
      `(?<![A-Za-z\\d.])(?<value>${numberPattern})\\s?(?<scale>[万亿]?)(?<currency>RMB|${isoCodes})(?![A-Za-z])`,
    ),
    ({ value = "", scale: by = "", currency: code = "" }) => [[`${readAmount(value)}${by}${currencies[code]}`]],
  ),
  rule(/(?<value>\d{1,3}(?:,\d{3})+\.\d*0|\d+\.\d*0)(?=元|块|美元|港元)/, ({ value = "" }) => [[readAmount(value)]]),
  rule(new RegExp(`(?<=${perBefore})(?<by>\\s?[/／]\\s?)(?<unit>${unitPattern})(?![A-Za-z\\d])`), ({ unit }) => [
    [`每${unitOf(unit)}`],
  ]),
  rule(new RegExp(`(?<=${perBefore})(?<by>\\s?[/／]\\s?)(?=${perAfter})`), () => [["每"]]),
  rule(
    /(?<![\d/.])(?<high>\d{2,3})\/(?<low>\d{2,3})(?:\s?(?<unit>mmHg|毫米汞柱)|(?!\d)(?:(?<=血[压壓][^，。]{0,4}\/\d+)|(?=[^。！？\d]{0,9}血压)))/,
    ({ high = "", low = "", unit }) => [[`${readCardinal(high)}比${readCardinal(low)}${unit ? "毫米汞柱" : ""}`]],
  ),
  rule(
    /(?<![A-Za-z\d.])(?<value>\d+(?:\.\d+)?)e(?<minus>-)?\+?(?<power>\d{1,3})(?![A-Za-z\d.])/,
    ({ value = "", minus, power = "" }) => [
      [`${readNumber(value)}乘十的${minus ? "负" : ""}${readCardinal(power)}次方`],
    ],
  ),
  rule(/(?<=身高\D{0,2})(?<feet>\d)['’′](?<inches>\d{1,2})(?:["”″]|'')/, ({ feet = "", inches = "" }) => [
    [`${withUnit(feet, "英尺")}${withUnit(inches, "英寸")}`],
  ]),
  rule(
    /(?<base>\d+(?:\.\d+)?|[a-zA-Z](?![A-Za-z])|(?<=[A-Za-z)）]))\^\{?(?<minus>[-−])?(?<power>(?<=\{)[\da-z+-]+(?=\})|\d+|[a-z](?![A-Za-z]))\}?/,
    ({ base = "", minus = "", power = "" }) => readPower(base, minus, power),
  ),
  rule(/\\[dt]?frac\{(?<part>[-+\dA-Za-z]+)\}\{(?<all>[-+\dA-Za-z]+)\}/, ({ part = "", all = "" }) => [
    [`${readTerm(all)}分之${readTerm(part)}`],
  ]),
  rule(/(?<base>\d+(?:\.\d+)?)(?<minus>⁻)?(?<power>[⁰¹²³⁴⁵⁶⁷⁸⁹]+)/, ({ base = "", minus = "", power = "" }) =>
    readPower(base, minus, power.normalize("NFKC")),
  ),
  rule(/(?<![\d.])(?<part>\d{0,3})π\s?[/⁄]\s?(?<all>[1-9]\d{0,2})(?!\d)/, ({ part = "", all = "" }) => [
    [`${readCardinal(all)}分之${part && readCardinal(part)}派`],
  ]),
  rule(/(?<![\d.])(?<value>\d{1,3})!(?=\s?[=+\-×÷])/, ({ value = "" }) => [[`${readCardinal(value)}的阶乘`]]),
  rule(/(?<=[A-Z][a-z]?|[₀-₉])(?<charge>[²³⁴]?)(?<sign>[+⁻])(?![\dA-Za-z(])/, ({ charge = "", sign }) => [
    [`${charge && readCardinal(charge.normalize("NFKC"))}${sign === "+" ? "加" : "减"}`],
  ]),
  rule(/(?<index>[₀-₉]+)/, ({ index = "" }) => [[readCardinal(index.normalize("NFKC"))]]),
  rule(
    /(?<![\d.])(?:(?<degrees>\d+)°)?(?<minutes>\d{1,3})[′'](?:(?<seconds>\d{1,2})(?:″|"|''))?/,
    ({ degrees, minutes = "", seconds }) =>
      degrees || seconds ? [[`${withUnit(degrees, "度")}${withUnit(minutes, "分")}${withUnit(seconds, "秒")}`]] : null,
  ),
  rule(
    new RegExp(
      `(?<![\\d.])(?<sign>[-−+±])?(?<value>${numberPattern})\\s?%?${to}(?<end>${numberPattern})\\s?(?<scale>[%‰‱])`,
    ),
    (groups) => [
      [`${signs[groups.sign ?? ""] ?? ""}${scale[groups.scale ?? ""]}${readNumber(groups.value ?? "")}`, "value"],
      ["到", "to"],
      [`${scale[groups.scale ?? ""]}${percentOf(groups.end, groups.scale)}`, "end"],
    ],
  ),
  rule(
    new RegExp(`(?<sign>[-−+±])?(?<value>${numberPattern})[\\s\\\\]?(?<scale>[%‰‱])`),
    ({ sign = "", value = "", scale: by = "" }) => [[`${signs[sign] ?? ""}${scale[by]}${percentOf(value, by)}`]],
  ),
  rule(
    new RegExp(
      `(?<sign>[-−])?(?<value>${numberPattern})${to}(?<minus>[-−])?(?<end>${numberPattern})\\s?(?<unit>°C|℃|°F|℉|°)`,
    ),
    (groups) => [
      [`${groups.sign ? "零下" : ""}${readNumber(groups.value ?? "")}`, "value"],
      ["到", "to"],
      [`${groups.minus ? "零下" : ""}${readNumber(groups.end ?? "")}`, "end"],
      [degreesOf(groups.unit), "unit"],
    ],
  ),
  rule(new RegExp(`(?<sign>[-−])?(?<value>${numberPattern})\\s?(?<unit>°C|℃|°F|℉|°)`), ({ sign, value = "", unit }) => [
    [`${sign ? "零下" : ""}${readNumber(value)}`],
    [degreesOf(unit), "unit"],
  ]),
  rule(/(?<group>[1-9]\d{0,2}(?:\s\d{3}){2,})(?!\s?\d)/, ({ group = "" }) => [
    [readCardinal(group.replace(/\s/g, ""))],
  ]),
  rule(
    /(?<![\d/.])(?<whole>\d{1,3})\s(?<part>\d{1,3})[/⁄](?<all>\d{1,4})(?![\d/])/,
    ({ whole = "", part = "", all = "" }) => [
      [`${readCardinal(whole)}又${readCardinal(all)}分之${readCardinal(part)}`],
    ],
  ),
  rule(
    /(?<![\d/.A-Za-z第])(?<part>\d{1,4})(?:[/⁄]|\s[/⁄]\s)(?<all>[1-9]\d{0,6}(?:\.\d+)?)(?![\d/])(?=(?<equals>\s?=)?)/,
    ({ part = "", all = "", equals }) => (equals && Number(part) > Number(all) ? null : [[readFraction(part, all)]]),
  ),
  rule(
    new RegExp(
      `(?<=\\d\\s?(?:${unitPattern}|℃|°[CF]?|[%‰kKMG]|${measureWords}))\\s*(?:--?|[~–—～→]{1,2})\\s*(?=[-−¥$]?\\d)|(?<=\\d[/⁄]\\d+)[-~–—～](?=\\d+[/⁄]\\d)`,
    ),
    () => [["到"]],
  ),
  rule(
    /(?<=[\p{Script=Han}\s，。(（]|^)(?<value>\d+(?:\.\d+)?)[xX](?=速|$|[，。！？、)）]|\s(?!\s*[\d=+]))/u,
    ({ value = "" }) => [[`${readTwo(value)}倍`]],
  ),
  rule(
    /(?<=粉丝?数?|赞|播放量?|阅读量?|浏览量?|销量)(?<value>\d+(?:\.\d+)?)(?<by>[WwKk])(?![A-Za-z])|(?<few>\d+(?:\.\d+)?)[Kk](?=\+?\s?(?:播放|粉|阅读|点赞|收藏|浏览|转发|[步米元人字]))/,
    ({ value, by = "k", few }) => [[`${readTwo(value ?? few ?? "")}${/w/i.test(by) ? "万" : "千"}`]],
  ),
  rule(
    new RegExp(
      `(?<sign>[-−])(?<value>${numberPattern})(?=\\s?[到至]\\s?[-−]?(?:${numberPattern})\\s?(?:度(?!数)|°|℃))`,
    ),
    ({ value = "" }) => [[`零下${readNumber(value)}`]],
  ),
  rule(
    /(?<value>\d+(?:\.\d+)?)[Ww](?=\+|\s?(?:播放|粉|阅读|点赞|收藏|浏览|转发|次|[个人元块件]))/,
    ({ value = "" }) => [[`${readNumber(value)}万`]],
  ),
  rule(
    new RegExp(`(?<=(?:\\d\\s?[万亿千百]|\\d⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+|\\d\\^[-−]?\\d+)\\s?)(?<unit>${unitPattern})(?![A-Za-z])`),
    ({ unit }) => [[unitOf(unit)]],
  ),
  rule(
    new RegExp(
      `(?:(?<![A-Za-z\\d]|[A-Z]{2}-(?!\\d+\\s?BP))|(?<=\\d(?:${unitPattern})))(?<value>${numberPattern})\\s?(?<unit>${unitPattern})(?![A-Za-z]|(?<=[Vv])\\d)`,
    ),
    ({ value = "", unit }) => [
      [readTwo(value), "value"],
      [unitOf(unit), "unit"],
    ],
  ),
  rule(
    new RegExp(
      `(?:(?<![\\d.第零一二三四五六七八九十百千万亿两A-Za-z-])|(?<=(?<![第\\d.-]\\d{0,2})\\d[-~–—～]))(?<value>2)(?=[多]?(?:${measureWords}))`,
    ),
    () => [["两"]],
  ),
  rule(/(?<![\dA-Za-z])(?<unit>[ckm]?m[²³]|°[CF])(?![A-Za-z])/, ({ unit = "" }) => [[units[unit] ?? degreesOf(unit)]]),
  rule(new RegExp(`(?<=\\p{Script=Han}[(（])(?<unit>${unitPattern})(?=[)）])`), ({ unit }) => [[unitOf(unit)]]),
  rule(/(?<=第\s?)(?<value>0\d{1,3})(?!\d)/, ({ value = "" }) => [[readDigits(value)]]),
];

const degreesOf = (unit = "") => ({ "°": "度", "°F": "华氏度", "℉": "华氏度" })[unit] ?? "摄氏度";
/** Drops trailing zeros of a fraction; `english` is K, M or B. */
function readAmount(value: string, english = ""): string {
  const scaled = englishScales[english];
  if (!scaled) return readTwo(trimZeros(value));
  return readNumber(String(Math.round(Number(value.replaceAll(",", "")) * scaled)));
}

function readPower(base: string, minus: string, power: string): readonly RulePart[] {
  const name = /\d/.test(base) ? readNumber(base) : base;
  // 10³ is 十的三次方 in a figure such as 1.0×10³.
  const isPlain = !minus && base !== "10";
  if (isPlain && power === "2") return [[`${name}的平方`]];
  if (isPlain && power === "3") return [[`${name}的立方`]];
  return [[`${name}的${minus ? "负" : ""}${readTerm(power)}次方`]];
}

const readTerm = (term: string) =>
  term.replace(/^-/, "负").replace(/\d+/g, readCardinal).replaceAll("-", "减").replaceAll("+", "加");
const withUnit = (value: string | undefined, unit: string) => (value ? `${readCardinal(value)}${unit}` : "");
/** Equal parts are a comparison: 50/50. */
const readFraction = (part: string, all: string) =>
  part === all ? `${readCardinal(part)}比${readCardinal(all)}` : `${readNumber(all)}分之${readCardinal(part)}`;
const readTwo = (value: string) => (value === "2" ? "两" : readNumber(value));
