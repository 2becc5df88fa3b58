const most = 10;
const longest = 20;

/** Tags as people type them: between spaces, commas or 、; each once. */
export function parseTags(text: string): string[] {
  return [...new Set(text.normalize("NFC").split(/[\s,，、;；]+/u))].filter(Boolean);
}

/** As many and as long as a role may carry. */
export const areTagsFit = (tags: readonly string[]) =>
  tags.length <= most && tags.every((tag) => tag.length <= longest);

/** The text with a suggested tag in it, or without it where it was. */
export function toggleTag(text: string, tag: string): string {
  const tags = parseTags(text);
  return (tags.includes(tag) ? tags.filter((one) => one !== tag) : [...tags, tag]).join(" ");
}
