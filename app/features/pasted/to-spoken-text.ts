/** Subtitles and lyrics have their own marks. */
const timed = /^\s*\d[\d:.,，：]*\s*-->|^\s*\[\d{1,3}:\d\d|^Dialogue:/m;

/** Comments and programs of HTML; those without an end are not searched for it through the whole text. */
const unspoken = /<!--.{0,20000}?-->|<(script|style)\b[^>]{0,500}>.{0,20000}?<\/\1\s*>/gis;
const toRows = (text: string) => text.split(/\r\n|[\n\r]/);

/**
 * Pasted text as it is spoken: of Markdown and HTML the words, a row per table row; without addresses, pictures, code
 * blocks and notes. Text without such marks stays as it is.
 */
export function toSpokenText(text: string): string {
  if (timed.test(text)) return text;
  const read = text.replace(unspoken, "");
  const rows = toRows(read);
  const spoken = toSpokenRows(withoutCodeBlocks(rows));
  const words = spoken.some((row) => row.trim() !== "") ? spoken : toSpokenRows(rows.filter((row) => !fence.test(row)));
  const isSame = read === text && words.length === rows.length && words.every((row, index) => row === rows[index]);
  const result = words
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  return isSame || result === "" ? text : result;
}

/** Whether a text has what only Markdown has: a code block, a table or two links. */
export function isMarkdown(text: string): boolean {
  const rows = toRows(text);
  const links = text.match(new RegExp(`\\]${target}`, "gi")) ?? [];
  return rows.filter((row) => fence.test(row)).length > 1 || rows.some(isTableRule) || links.length > 1;
}

const fence = /^\s*(?:>\s*)*(`{3,}|~{3,})[^`]*$/;

/** A fence that nothing closes is no block. */
function withoutCodeBlocks(rows: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < rows.length; at++) {
    const mark = fence.exec(rows[at] ?? "")?.[1];
    const end = mark ? rows.findIndex((row, index) => index > at && fence.exec(row)?.[1]?.startsWith(mark)) : -1;
    if (end > at) at = end;
    else if (!mark) kept.push(rows[at] ?? "");
  }
  return kept;
}

const tableRule = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;
const isTableRule = (row = "") => row.includes("|") && tableRule.test(row);
const rule = /^\s*([-*_=])(\s*\1){2,}\s*$/;
/** Where a link or a note points to. */
const definition = /^\s*\[(\^[^\]]+\]:|[^\]]+\]:\s*<?(https?:|\/|\.|#))/i;
const rowMark = /^\s*(?:>\s?)*\s*(?:#{1,6}\s+|[-*+•◦▪●]\s+(?:\[[ xX]\]\s+)?)?/;

function toSpokenRows(rows: readonly string[]): string[] {
  let isTable = false;
  return rows.flatMap((row, index) => {
    const isRule = isTableRule(row);
    isTable = row.includes("|") && (isTable || isRule || isTableRule(rows[index + 1]) || /^\s*\|.*\|\s*$/.test(row));
    if (isRule || rule.test(row) || definition.test(row)) return [];
    const mark = rowMark.exec(row)?.[0] ?? "";
    const words = toWords(mark.trim() === "" ? row : row.slice(mark.length).replace(/\s+#+\s*$/, ""));
    const spoken = isTable ? joinCells(words.split("|")) : joinTabs(words);
    return spoken.trim() === "" && row.trim() !== "" ? [] : spoken.split("\n");
  });
}

/** Cells of a spreadsheet; a tab at the begin is an indent. */
const joinTabs = (row: string) => (/\S\t+\S/.test(row) ? joinCells(row.split("\t")) : row);

const joinCells = (cells: readonly string[]) =>
  cells
    .map((cell) => cell.trim())
    .filter(Boolean)
    .reduce((row, cell) => row + (row === "" || /[，。！？；：、,.!?;:]$/.test(row) ? "" : "，") + cell, "");

const target =
  "\\(\\s*(?:<[^>]*>|(?:[a-z][a-z0-9+.-]*:|/|\\.|#|www\\.|(?:[\\w-]+/)*[\\w-]+\\.[a-z]{2})[^()\\s]*(?:\\([^()\\s]*\\)[^()\\s]*)*)?(?:\\s+[\"'][^\"']*[\"'])?\\s*\\)";
const picture = new RegExp(`!\\[[^\\]]*\\](?:${target}|\\([^()\\s]*\\)|\\[[^\\]]*\\])|<img\\b[^>]*>|<!--.*?-->`, "gi");
const link = new RegExp(`\\[([^\\[\\]]*)\\](?:${target}|\\[\\d{1,3}\\])`, "gi");
/** Also the numbers of several sources. */
const noteMark = /\[\^[^\]]+\]|【\d+†[^】]*】|(?<!\])(?:\[\d{1,3}\]){2,}/g;
/** Chinese characters before a sign of an address belong to it; others are the next words. */
const address =
  /<?\b(?:(?:https?|ftp):\/\/(?![一-鿿])|www\.[\w.-]+\/)(?:[^\s<>"'`，。！？；：、（）()【】《》「」“”一-鿿]|[一-鿿]+(?=[/?&=#][\w%一-鿿]))+>?/gi;
const tag =
  /<\/?(?:a|b|i|u|s|em|strong|span|p|div|font|code|pre|sup|sub|mark|del|ins|h[1-6]|ul|ol|li|table|tr|td|th|blockquote|details|summary)(?:\s[^<>]*)?>/gi;
const entities: Record<string, string> = { nbsp: " ", amp: "&", lt: "<", gt: ">", quot: '"' };

function toWords(row: string): string {
  const linked = row.replace(picture, "").replace(noteMark, "").replace(link, "$1");
  const words = linked.replace(address, (found) => /[.,!?;:]+$/.exec(found)?.[0] ?? "");
  // A label would otherwise become the speaker of the next row.
  const isCut = words !== linked;
  const kept = isCut
    ? words.replace(/\s*[（(【[]\s*[)）\]】]|\s*[：:]\s*$/g, "").replace(/[ \t]+(?=[，。！？；：、.,!?;:]|$)/g, "")
    : words;
  return withoutEmphasis(kept.replace(/<br\s*\/?>/gi, "\n").replace(tag, ""))
    .replace(/&(nbsp|amp|lt|gt|quot);/g, (_, name: string) => entities[name] ?? "")
    .replace(/\\([\\`*_{}[\]()#+.!~>|-])/g, "$1");
}

const emphasis = [/(`+)([^`]+)\1/g, /(\*\*\*|\*\*|___|__|~~)(?=\S)(.*?\S)\1/g];
/** Within a word, `*` and `_` are signs. */
const slanted = /(^|[^\w*\\])([*_])(?=[^\s*_])([^*_\n]*[^\s*_\\])\2(?![\w*])/g;

function withoutEmphasis(row: string): string {
  const plain = emphasis.reduce((text, mark) => text.replace(mark, "$2"), row).replace(slanted, "$1$3");
  return plain === row ? row : withoutEmphasis(plain);
}
