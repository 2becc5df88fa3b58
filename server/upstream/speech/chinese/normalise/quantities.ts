import { readCardinal, readDigits, readNumber } from "./numbers";
import { type Rule, rule } from "./rule";
import { measureWords, unitPattern, units } from "./units";

const number = "\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d+(?:\\.\\d+)?";
const to = "(?<to>\\s*[-~–—～]{1,2}\\s*)";
const currencies: Record<string, string> = {
  "¥": "元",
  RMB: "元",
  CNY: "元",
  $: "美元",
  US$: "美元",
  USD: "美元",
  HK$: "港元",
  NT$: "新台币",
  "€": "欧元",
  EUR: "欧元",
  "£": "英镑",
  "₩": "韩元",
  "₽": "卢布",
};
const currency = "(?<currency>US\\$|HK\\$|NT\\$|RMB|CNY|USD|EUR|[¥$€£₩₽])";
const trimZeros = (written: string) => (written.includes(".") ? written.replace(/\.?0+$/, "") : written);
const scale: Record<string, string> = { "%": "百分之", "‰": "千分之", "‱": "万分之" };
const signs: Record<string, string> = { "-": "负", "−": "负", "+": "正", "±": "正负" };
const unitOf = (written = "") => units[written] ?? written;
const percentOf = (written = "") => (written === "100" ? "百" : readNumber(written));

export const quantities: Rule[] = [
  rule(
    new RegExp(
      `${currency}\\s?(?<from>${number})${to}${"(?:US\\$|HK\\$|[¥$€£])?"}(?<end>${number})(?<scale>[万亿千百])?`,
    ),
    (groups) => [
      [readNumber(groups.from ?? ""), "from"],
      ["到", "to"],
      [`${readNumber(groups.end ?? "")}${groups.scale ?? ""}${currencies[groups.currency ?? ""]}`, "end"],
    ],
  ),
  rule(
    new RegExp(
      `(?<minus>[-−])?${currency}\\s?(?<value>${number})(?<scale>[万亿千百]+)?(?<named>美元|元|港元|欧元|英镑)?`,
    ),
    ({ minus, currency: sign = "", value = "", scale: by = "" }) => [
      [`${minus ? "负" : ""}${readTwo(trimZeros(value))}${by}${currencies[sign]}`],
    ],
  ),
  rule(
    new RegExp(`(?<![\\d.])(?<sign>[-−+±])?(?<value>${number})\\s?%?${to}(?<end>${number})\\s?(?<scale>[%‰‱])`),
    (groups) => [
      [`${signs[groups.sign ?? ""] ?? ""}${scale[groups.scale ?? ""]}${readNumber(groups.value ?? "")}`, "value"],
      ["到", "to"],
      [`${scale[groups.scale ?? ""]}${percentOf(groups.end)}`, "end"],
    ],
  ),
  rule(
    new RegExp(`(?<sign>[-−+±])?(?<value>${number})\\s?(?<scale>[%‰‱])`),
    ({ sign = "", value = "", scale: by = "" }) => [[`${signs[sign] ?? ""}${scale[by]}${percentOf(value)}`]],
  ),
  rule(
    new RegExp(`(?<sign>[-−])?(?<value>${number})${to}(?<minus>[-−])?(?<end>${number})\\s?(?<unit>°C|℃|°F|℉|°)`),
    (groups) => [
      [`${groups.sign ? "零下" : ""}${readNumber(groups.value ?? "")}`, "value"],
      ["到", "to"],
      [`${groups.minus ? "零下" : ""}${readNumber(groups.end ?? "")}`, "end"],
      [degreesOf(groups.unit), "unit"],
    ],
  ),
  rule(new RegExp(`(?<sign>[-−])?(?<value>${number})\\s?(?<unit>°C|℃|°F|℉|°)`), ({ sign, value = "", unit }) => [
    [`${sign ? "零下" : ""}${readNumber(value)}`],
    [degreesOf(unit), "unit"],
  ]),
  rule(
    /(?<![\d/.])(?<whole>\d{1,3})\s(?<part>\d{1,3})[/⁄](?<all>\d{1,4})(?![\d/])/,
    ({ whole = "", part = "", all = "" }) => [
      [`${readCardinal(whole)}又${readCardinal(all)}分之${readCardinal(part)}`],
    ],
  ),
  rule(/(?<![\d/.A-Za-z])(?<part>\d{1,4})[/⁄](?<all>[1-9]\d{0,3})(?![\d/])/, ({ part = "", all = "" }) => [
    [`${readCardinal(all)}分之${readCardinal(part)}`],
  ]),
  rule(
    new RegExp(
      `(?<value>${number})(?<unit1>\\s?(?:${unitPattern}))?${to}(?<end>${number})\\s?(?<unit>${unitPattern})(?![A-Za-z])`,
    ),
    (groups) => [
      [`${readNumber(groups.value ?? "")}${unitOf(groups.unit1?.trim())}`, "value"],
      ["到", "to"],
      [readNumber(groups.end ?? ""), "end"],
      [unitOf(groups.unit), "unit"],
    ],
  ),
  rule(
    new RegExp(`(?<![A-Za-z\\d])(?<value>${number})\\s?(?<unit>${unitPattern})(?![A-Za-z])`),
    ({ value = "", unit }) => [
      [readTwo(value), "value"],
      [unitOf(unit), "unit"],
    ],
  ),
  rule(
    new RegExp(`(?<![\\d.第零一二三四五六七八九十百千万亿两A-Za-z-])(?<value>2)(?=[多]?(?:${measureWords}))`),
    () => [["两"]],
  ),
  rule(/(?<=第\s?)(?<value>0\d{1,3})(?!\d)/, ({ value = "" }) => [[readDigits(value)]]),
];

const degreesOf = (unit = "") => ({ "°": "度", "°F": "华氏度", "℉": "华氏度" })[unit] ?? "摄氏度";
const readTwo = (value: string) => (value === "2" ? "两" : readNumber(value));
