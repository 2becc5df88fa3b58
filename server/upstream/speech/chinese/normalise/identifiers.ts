import { type Rule, type RulePart, readCardinal, readDigits, readSerial, rule } from "./numbers";

const named =
  "号码|编号|尾号|单号|工号|学号|卡号|账号|帐号|证号|序列号|车牌号?|[Qq][Qq]群?号?|微信号?|密码|验证码|邀请码|代码|条码|口令|邮编|门牌号?|航班号?|股票|电话|手机|热线|拨打?|致电|传真|分机号?|[前后末][三四五六]位|ID|NO\\.|No\\.";
const hotlines = "1(?:10|19|20|22|14|17)|12[0-9]{3}|1(?:0000|0010|0086|0099)|9[56]\\d{3}";
/** Services that are named before their number: 火警119, 客服10086. */
const hotlineServices = "火警|匪警|消防|急救|报警|警方|客服|服务|投诉|咨询|举报|求助|维权|查号|移动|联通|电信|铁通";
/** Words that follow a plain quantity. */
const counted = "[个元人块万千米年公件次名辆台户起笔]";

const serial = ({ value = "" }: Record<string, string | undefined>): RulePart[] => eachDigit(value);
const eachDigit = (written: string): RulePart[] => [[readSerial(written.replace(/\D/g, ""))]];

export const identifiers: Rule[] = [
  rule(/(?<scheme>https?|ftp):\/\//, () => []),
  rule(
    /(?<plus>\+|00)?(?<country>86[-\s]?)?(?<![\d.])(?<value>1[3-9]\d[-\s]?\d{4}[-\s]?\d{4})(?!\d)/,
    ({ country, value = "" }) => [[`${country ? "八六" : ""}${readSerial(value.replace(/\D/g, ""))}`]],
  ),
  rule(/\+(?<country>\d{1,3})[-\s](?<value>\d[\d\s-]{5,14}\d)(?!\d)/, ({ country = "", value = "" }) => [
    [`加${readSerial(country)}`, "country"],
    [readSerial(value.replace(/\D/g, "")), "value"],
  ]),
  rule(
    /(?<![\d.])(?:\(|（)?(?<area>0\d{2,3})(?:[-\s]|[)）][-\s]?)(?<value>\d{3,4}[-\s]?\d{4})(?!\d)/,
    ({ area = "", value = "" }) => [
      [readSerial(area), "area"],
      [readSerial(value.replace(/\D/g, "")), "value"],
    ],
  ),
  rule(/(?<![\d.])(?<value>[48]00[-\s]?\d{3,4}[-\s]?\d{3,4})(?!\d)/, serial),
  rule(/(?<![\d.])(?<body>\d{17})(?<check>[\dXx])(?!\d)/, ({ body = "", check = "" }) => [
    [readSerial(body), "body"],
    [/x/i.test(check) ? "艾克斯" : readSerial(check), "check"],
  ]),
  rule(
    new RegExp(
      `(?<=(?:${named})(?:[是为：: ]|分别){0,3})(?<![\\d.])(?<value>\\d{3,})(?![\\d.]*[\\d%])(?!\\s*(?:[万亿元块个次人]|[A-Za-z]))`,
    ),
    serial,
  ),
  rule(
    new RegExp(`(?<![\\d.A-Za-z])(?<value>${hotlines})(?!\\d)(?=\\s*(?:电话|热线|客服|报警|急救|平台|订票|短信))`),
    serial,
  ),
  rule(/(?<=\d\s?(?:转|[,，]?\s?分机号?[:：]?)\s?)(?<value>\d{2,6})(?![\d.]|\s*[个元人次])/, serial),
  rule(
    new RegExp(
      `(?<=(?:${hotlineServices})(?:热线|电话|台)?[是为请：:\\s]{0,2})(?<value>${hotlines})(?![\\d.]|\\s*${counted})`,
    ),
    serial,
  ),
  rule(
    new RegExp(`(?<![\\d.A-Za-z第])(?<value>${hotlines})(?=\\s*(?:转人工|按[一二两三四五六七八九\\d]|官网|公众号))`),
    serial,
  ),
  rule(new RegExp(`(?<=(?:打|拨|致电|呼叫|热线|发至)[了个过：:“"]?\\s?)(?<value>${hotlines})(?!\\d)`), serial),
  rule(
    /(?<![\d.A-Za-z第])(?<value>12315|12345|12306|12333|12329|12123|12366|12348|12355)(?![\d.]|\s*[个人元块万千米年公件次名])/,
    serial,
  ),
  rule(
    /(?<=[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼])(?<letter>[A-Z])[·•\s-]?(?<value>(?=[A-Z]*\d)[A-Z0-9]{5,6})(?![A-Za-z\d])/,
    ({ letter = "", value = "" }) => [
      [letter, "letter"],
      [readSerial(value), "value"],
    ],
  ),
  rule(/(?<=[A-Za-z]{2})-(?=\d)/, () => []),
  rule(/(?<=[A-Za-z])-(?=[A-Za-z]{2})|(?<=[A-Za-z]{2})-(?=[A-Za-z])/, () => []),
  rule(/(?<=[A-Za-z]\d{1,4})-(?<value>\d{2,4})(?![\d.%]|\s*[页章节条项个集])/, serial),
  rule(
    /(?<=(?:GB(?:\/T)?|ISO|IEC|IEEE|DIN|ASTM)\s?)(?<value>\d{3,6})(?:\.(?<part>\d+))?(?:-(?<year>\d{4}))?(?!\d)/,
    ({ value = "", part, year }) => [
      [`${readDigits(value)}${part ? `点${readDigits(part)}` : ""}${readDigits(year ?? "")}`],
    ],
  ),
  rule(/(?<=(?:波音|空客|麦道)\s?)(?<value>\d{3})(?!\d)/, ({ value = "" }) => [[readDigits(value)]]),
  rule(/(?<![A-Za-z])[Nn](?:o\.|º|°)\s?(?<value>\d{1,2})(?![\d.])/, ({ value = "" }) => [[`第${readCardinal(value)}`]]),
  rule(
    /(?:(?<=第\s?)(?<ordinal>[IVX]{1,5})|(?<![A-Za-z])(?<roman>I|II|III|IV|VI{1,3}|IX|XI{1,3})(?=[型期级度类世卷章部区]))(?![A-Za-z])/,
    ({ ordinal, roman }) => [[readRoman(ordinal ?? roman ?? "")]],
  ),
  rule(/(?<=[A-Za-z]{2}\s)(?<roman>II|III|IV|VI{1,3}|IX|XI{1,2})(?![A-Za-z])/, ({ roman = "" }) => [
    [readRoman(roman)],
  ]),
  rule(/(?<=K?N)(?<value>9[059]|100)(?!\d)/, ({ value = "" }) => [[readDigits(value)]]),
  rule(
    /(?<![\d.])(?<value>\d{3,4})(?=\s*(?:室|房间?(?![价屋东贷租])|号房|号楼|路公交|路车|路汽车|航班|次列车|次航班))/,
    serial,
  ),
  rule(/(?<=[A-Z]{1,3}-?)(?<![\d.])(?<value>\d{3,})(?=\s*(?:次|航班|列车|高铁|动车))/, serial),
  rule(/(?<![\d.])(?<value>\d{1,3}(?:\.\d{1,3}){3})(?![\d.]*\d)/, ({ value = "" }) => [
    [value.split(".").map(readSerial).join("点")],
  ]),
  rule(/(?<![\d.])(?<value>\d{1,5}(?:\.\d{1,5}){2,})(?!\d)/, ({ value = "" }) => [
    [value.split(".").map(readVersionPart).join("点")],
  ]),
  rule(/(?<=(?:[Vv]|[Vv]er|[Vv]ersion|版本号?|版)[.\s]?)(?<value>\d+\.\d+)(?![\d.]*\d)/, ({ value = "" }) => [
    [value.split(".").map(readVersionPart).join("点")],
  ]),
  rule(/(?<![\d.])(?<value>\d{9,})(?![\d.])/, ({ value = "" }) => (/0000$/.test(value) ? null : [[readSerial(value)]])),
  rule(/(?<![\d.])(?<value>0\d+)(?![\d.]*\d)/, ({ value = "" }) => [[readDigits(value)]]),
  rule(/(?<![\d.])(?<value>\d{3,4})(?=[pP](?![A-Za-z]))/, ({ value = "" }) => [[readDigits(value)]]),
  rule(/(?<=[A-Za-z]-?)(?<![\d.])(?<value>\d{3,})(?![\d.]*\d)(?!\s*[个元万亿块米年月天%])/, ({ value = "" }) => [
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
