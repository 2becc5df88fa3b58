import type { Marked } from "./marks";

/** Puts the marked text into the field the way a keyboard would, so that undo knows it; `onContent` where that is not to be had. */
export function applyMark(
  field: HTMLTextAreaElement,
  { content, caret }: Marked,
  onContent: (content: string) => void,
) {
  const before = field.value;
  const most = Math.min(before.length, content.length);
  let start = 0;
  while (start < most && before[start] === content[start]) start++;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === content.at(-1 - end)) end++;
  field.focus();
  field.setSelectionRange(start, before.length - end);
  const text = content.slice(start, content.length - end);
  const isDone = text ? document.execCommand("insertText", false, text) : document.execCommand("delete");
  if (!isDone || field.value !== content) onContent(content);
  requestAnimationFrame(() => field.setSelectionRange(caret, caret));
}
