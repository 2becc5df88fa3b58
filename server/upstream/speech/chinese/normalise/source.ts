/**
 * Text in one form (NFKC, so full-width and compatibility characters become plain ones) that still knows where every
 * UTF-16 unit of it came from.
 */
export interface SourceText {
  text: string;
  /** Start and end in the content of what each unit of `text` stands for. */
  starts: number[];
  ends: number[];
}

const squareUnits: Record<string, string> = { "㎡": "m²", "㎥": "m³", "㎢": "km²", "㎜²": "mm²" };
const romanNumerals = "ⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩⅪⅫ";
/** NFKC would turn these into something that reads differently. */
const kept = new Set([..."⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "…", "：", "，", "；", "！", "？", "（", "）", "～", "′", "″"]);
const circledNumber = /^[①-⒛]$/u;
const cluster = /\P{M}\p{M}*|\p{M}+/gsu;

export function toSource(content: string, offset: number): SourceText {
  const source: SourceText = { text: "", starts: [], ends: [] };
  for (const match of content.matchAll(cluster)) {
    const plain = toListNumber(match[0], source.text, content[match.index + match[0].length]) ?? toPlain(match[0]);
    const start = offset + match.index;
    source.text += plain;
    for (let index = 0; index < plain.length; index++) {
      source.starts.push(start);
      source.ends.push(start + match[0].length);
    }
  }
  return source;
}

/** ① and ⒈ at the start of a line or a clause number what follows and take a pause; elsewhere they are plain numbers. */
function toListNumber(character: string, before: string, next = ""): string | null {
  if (!circledNumber.test(character)) return null;
  const digits = character.normalize("NFKC").replace(/\D/g, "");
  const startsItem = !/[号路线楼班组级期年月日个\s、.]/.test(next);
  return startsItem && /(?:^|[\s。！？!?；;：:，,])$/.test(before) ? `${digits}、` : digits;
}

function toPlain(character: string): string {
  if (kept.has(character)) return character;
  const roman = romanNumerals.indexOf(character);
  if (roman >= 0) return String(roman + 1);
  return squareUnits[character] ?? character.normalize("NFKC");
}
