/** What a page brings along. */
export interface SlideText {
  /** To be spoken; "" for a page without text. */
  text: string;
  /** Its heading; "" if there is none. */
  title: string;
}

const endsSentence = /[。！？；：，、,.!?;:…”」）)]$/;
const isWestern = (character: string | undefined) => character !== undefined && /[\w,.;:!?)]/.test(character);

/** One text to be spoken: a paragraph that ends without a sign ends with a full stop, unless it is the last. */
export function joinParagraphs(paragraphs: readonly string[]): string {
  const written = paragraphs.map((text) => text.replace(/\s+/g, " ").trim()).filter((text) => text !== "");
  return written
    .map((text, index) => {
      if (index === written.length - 1) return text;
      if (endsSentence.test(text)) return isWestern(text.at(-1)) ? `${text} ` : text;
      return isWestern(text.at(-1)) ? `${text}. ` : `${text}。`;
    })
    .join("");
}

/** A piece of a PDF page's text: `transform` holds its place in the 5th and 6th value. */
export interface TextPiece {
  str: string;
  transform: readonly number[];
  width: number;
  height: number;
  hasEOL: boolean;
}

interface TextRow {
  text: string;
  left: number;
  right: number;
  height: number;
}

/**
 * The text of a PDF page. A row that nearly fills the width goes on in the next row of the same size; any other ends a
 * paragraph. The largest of the first rows is the heading. The page's number is left out.
 */
export function readPieces(pieces: readonly TextPiece[], pageNumber: number): SlideText {
  const rows = toRows(pieces).filter(({ text }) => text !== "" && text !== String(pageNumber));
  const right = Math.max(0, ...rows.map((row) => row.right));
  const left = Math.min(...rows.map((row) => row.left));
  const paragraphs: string[] = [];
  rows.forEach((row, index) => {
    const before = rows[index - 1];
    const isContinued =
      before !== undefined &&
      before.right - left > (right - left) * 0.9 &&
      Math.abs(before.height - row.height) < 1 &&
      !/[。！？.!?]$/.test(before.text);
    const last = paragraphs.at(-1);
    if (!isContinued || last === undefined) paragraphs.push(row.text);
    else paragraphs[paragraphs.length - 1] = last + (/\w$/.test(last) && /^\w/.test(row.text) ? " " : "") + row.text;
  });
  const [heading] = rows.slice(0, 3).sort((a, b) => b.height - a.height);
  return { text: joinParagraphs(paragraphs), title: heading?.text ?? "" };
}

function toRows(pieces: readonly TextPiece[]): TextRow[] {
  const rows: TextRow[] = [];
  let row: TextRow | null = null;
  for (const { str, transform, width, height, hasEOL } of pieces) {
    const left = transform[4] ?? 0;
    if (str !== "") {
      row ??= { text: "", left, right: left, height: 0 };
      row.text += str;
      row.right = Math.max(row.right, left + width);
      row.height = Math.max(row.height, height);
    }
    if (hasEOL && row) {
      rows.push({ ...row, text: row.text.trim() });
      row = null;
    }
  }
  return row ? [...rows, { ...row, text: row.text.trim() }] : rows;
}
