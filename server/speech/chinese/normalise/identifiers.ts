import { type Rule, readCardinal, readDigits, readSerial, rule, toRules } from "./numbers";
import written from "./written-forms.json" with { type: "json" };

export const identifiers: Rule[] = [
  rule(
    /(?<plus>\+|00)?(?<country>86[-\s]?)?(?<![\d.])(?<value>1[3-9]\d[-\s]?\d{4}[-\s]?\d{4})(?!\d)/,
    ({ country, value = "" }) => [[`${country ? "八六" : ""}${readSerial(value.replace(/\D/g, ""))}`]],
  ),
  rule(/\+(?<country>\d{1,3})[-\s](?<value>\d[\d\s-]{5,14}\d)(?!\d)/, ({ country = "", value = "" }) => [
    [`加${readSerial(country)}`, "country"],
    [readSerial(value.replace(/\D/g, "")), "value"],
  ]),
  rule(
    /(?<![\d.])(?:\(|（)?(?<area>0\d{1,3})(?:[-\s]|[)）][-\s]?)(?<value>\d{3,4}[-\s]?\d{4}(?:-\d{2,5})?)(?!\d)/,
    ({ area = "", value = "" }) => [
      [readSerial(area), "area"],
      [readSerial(value.replace(/\D/g, "")), "value"],
    ],
  ),
  rule(/(?<![\d.])(?<body>\d{17})(?<check>[\dXx])(?!\d)/, ({ body = "", check = "" }) => [
    [readSerial(body), "body"],
    [/x/i.test(check) ? "艾克斯" : readSerial(check), "check"],
  ]),
  ...toRules(written.identifiers),
  rule(
    /(?<=[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼])(?<letter>[A-Z])[·•\s-]?(?<value>(?=[A-Z]*\d)[A-Z0-9]{5,6})(?![A-Za-z\d])/,
    ({ letter = "", value = "" }) => [
      [letter, "letter"],
      [readSerial(value), "value"],
    ],
  ),
  rule(
    /(?<=(?<![A-Za-z])(?:GB(?:\/T)?|ISO|IEC|IEEE|DIN|ASTM)\s?)(?<value>\d{3,6})(?:\.(?<part>\d+))?(?:-(?<year>\d{4}))?(?!\d)/,
    ({ value = "", part, year }) => [
      [`${readDigits(value)}${part ? `点${readDigits(part)}` : ""}${readDigits(year ?? "")}`],
    ],
  ),
  rule(/(?<![A-Za-z])[Nn](?:[Oo]\.|º|°)\s?(?<value>\d{1,2})(?![\d.])/, ({ value = "" }) => [
    [`第${readCardinal(value)}`],
  ]),
  rule(/(?<![\d.A-Za-z])(?<value>\d{0,2}(?:1st|2nd|3rd|\dth))(?![A-Za-z])/, ({ value = "" }) => [
    [`第${readCardinal(value.replace(/\D/g, ""))}`],
  ]),
  rule(
    /(?:(?<=第\s?)(?<ordinal>[IVX]{1,5})|(?<![A-Za-z])(?<roman>I|II|III|IV|VI{1,3}|IX|XI{1,3})(?=[型期级度类世卷章部区]))(?![A-Za-z])/,
    ({ ordinal, roman }) => [[readRoman(ordinal ?? roman ?? "")]],
  ),
  rule(/(?<=[A-Za-z]{2}\s)(?<roman>II|III|IV|VI{1,3}|IX|XI{1,2})(?![A-Za-z])/, ({ roman = "" }) => [
    [readRoman(roman)],
  ]),
  rule(
    /(?<![\d.-])(?<first>\d{1,2})-(?:(?<second>\d{1,2})-(?<room>(?!19|20)\d{4}|\d{3})(?![\d-])|(?<door>\d{3,4})(?=室|房))/,
    ({ first = "", second, room, door = "" }) => [
      [`${[first, ...(second ? [second] : [])].map(readCardinal).join("杠")}杠${readSerial(room ?? door)}`],
    ],
  ),
  rule(/(?<![\d.])(?<value>\d{1,3}(?:\.\d{1,3}){3})(?![\d.]*\d)/, ({ value = "" }) => [
    [value.split(".").map(readSerial).join("点")],
  ]),
  rule(
    /(?<value>(?<![\d.])\d{1,5}(?:\.\d{1,5}){2,}(?!\d)|(?<=(?:[Vv]|[Vv]er|[Vv]ersion|版本号?|版)[.\s]?)\d+\.\d+(?![\d.]*\d))/,
    ({ value = "" }) => [[value.split(".").map(readVersionPart).join("点")]],
  ),
  rule(/(?<![\d.])(?<value>\d{9,})(?![\d.])/, ({ value = "" }) => (/0000$/.test(value) ? null : [[readSerial(value)]])),
  rule(/(?<![\d.])(?<value>0\d+)(?![\d.]*\d)/, ({ value = "" }) => [[readDigits(value)]]),
  rule(/(?<=[A-Za-z][-_]?)(?<![\d.])(?<value>\d{3,})(?![\d.]*\d)(?!\s*[个元万亿块米年月天%])/, ({ value = "" }) => [
    [/^\d00+$/.test(value) ? readCardinal(value) : readSerial(value)],
  ]),
];

const romanValues: Record<string, number> = { I: 1, V: 5, X: 10 };

/** "XIV" → 十四. */
function readRoman(written: string): string {
  const values = [...written].map((letter) => romanValues[letter] ?? 0);
  return readCardinal(
    String(values.reduce((sum, value, at) => sum + (value < (values[at + 1] ?? 0) ? -value : value), 0)),
  );
}

const readVersionPart = (part: string) =>
  part.length <= 2 && !part.startsWith("0") ? readCardinal(part) : readDigits(part);
