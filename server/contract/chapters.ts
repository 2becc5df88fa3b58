const headingMax = 40;
const number = "第\\s*[\\d零〇一二三四五六七八九十百千两]+\\s*";
const heading = new RegExp(
  `^(${number}[章回]|${number}[卷部集](?![\\p{L}\\p{N}])|chapter\\s+\\w+|(序[章言幕]?|楔子|引子|尾声|后记|番外)(?![\\p{L}\\p{N}]))`,
  "iu",
);

/** Whether a line of a text is the title of a chapter: short, named as one, and no sentence. */
export const isHeading = (line: string): boolean =>
  line.length <= headingMax && heading.test(line) && !/[。！？!?；;，,]/.test(line);
