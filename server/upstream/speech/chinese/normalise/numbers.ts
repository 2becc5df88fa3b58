/** Spoken text of one part of a match, and the named group it comes from (default: the whole match). */
export type RulePart = readonly [spoken: string, group?: string];

/** Expands one written form. Patterns are sticky; `read` returns null to let the next rule try. */
export interface Rule {
  pattern: RegExp;
  read(groups: Record<string, string | undefined>): readonly RulePart[] | null;
}

/** Groups must be read in written order, so that offsets increase. */
/** An integer or decimal, with or without thousands separators. */
export const numberPattern = "\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d+(?:\\.\\d+)?";

export function rule(pattern: RegExp, read: Rule["read"]): Rule {
  return { pattern: new RegExp(pattern.source, "dyu"), read };
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
