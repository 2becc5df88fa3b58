import { scriptLinesMax } from "~server/contract/limits";
import { parseMarks } from "~server/contract/marks";
import { createLine, type Script, type ScriptLine, toDelivery } from "./script";
import { joinTiming, splitTiming, withTimeBetween } from "./timing";

export const titleMax = 100;

export type Edit =
  | { type: "title"; title: string }
  | { type: "music"; music: Script["music"] }
  | { type: "text"; id: string; content: string }
  | { type: "set"; ids: readonly string[]; change: Partial<Omit<ScriptLine, "id">> }
  | { type: "split"; id: string; at: number; newId?: string }
  /** Joins the line to the one before it. */
  | { type: "merge"; id: string }
  /** `after` null inserts at the beginning. */
  | { type: "insert"; after: string | null; lines: readonly ScriptLine[] }
  | { type: "move"; id: string; to: number }
  | { type: "remove"; ids: readonly string[] }
  /** New contents by line id. */
  | { type: "texts"; contents: ReadonlyMap<string, string> }
  | { type: "replace"; script: Script };

/**
 * The script after an edit; the same object if the edit changes nothing. The result has 1 to `scriptLinesMax` lines: the
 * last line is emptied instead of removed.
 */
export function applyEdit(script: Script, edit: Edit): Script {
  switch (edit.type) {
    case "title":
      return setTitle(script, edit.title);
    case "music":
      return { ...script, music: edit.music };
    case "text":
      return changeLines(script, [edit.id], { content: edit.content });
    case "set":
      return changeLines(script, edit.ids, {
        ...edit.change,
        ...(edit.change.roleId !== undefined && { isUnsure: undefined }),
      });
    case "split":
      return split(script, edit);
    case "merge":
      return merge(script, edit.id);
    case "insert":
      return insert(script, edit.after, edit.lines);
    case "move":
      return move(script, edit.id, edit.to);
    case "remove":
      return remove(script, edit.ids);
    case "texts":
      return setTexts(script, edit.contents);
    case "replace":
      return edit.script;
  }
}

/** `Array.prototype.toSpliced` is missing in browsers that the site supports. */
function spliced<Item>(items: readonly Item[], at: number, removed: number, ...added: Item[]): Item[] {
  return [...items.slice(0, at), ...added, ...items.slice(at + removed)];
}

const indexOf = ({ lines }: Script, id: string) => lines.findIndex((line) => line.id === id);

function setTitle(script: Script, text: string): Script {
  const title = [...text].slice(0, titleMax).join("");
  return title === script.title ? script : { ...script, title };
}

function changeLines(script: Script, ids: readonly string[], change: Partial<ScriptLine>): Script {
  const keys = Object.keys(change) as Array<keyof ScriptLine>;
  const chosen = new Set(ids);
  let isChanged = false;
  const lines = script.lines.map((line) => {
    if (!chosen.has(line.id) || keys.every((key) => line[key] === change[key])) return line;
    isChanged = true;
    return { ...line, ...change };
  });
  return isChanged ? { ...script, lines } : script;
}

/** The nearest offset at or before `at` that splits neither a mark nor a surrogate pair. */
export function snapOffset(content: string, at: number): number {
  const wanted = Math.min(Math.max(at, 0), content.length);
  const mark = parseMarks(content).find(
    ({ kind, offset, length }) => kind !== "text" && wanted > offset && wanted < offset + length,
  );
  if (mark) return mark.offset;
  const code = content.charCodeAt(wanted);
  return wanted > 0 && code >= 0xdc00 && code <= 0xdfff ? wanted - 1 : wanted;
}

function split(script: Script, { id, at, newId }: Extract<Edit, { type: "split" }>): Script {
  const index = indexOf(script, id);
  const line = script.lines[index];
  if (!line || script.lines.length >= scriptLinesMax) return script;
  const offset = snapOffset(line.content, at);
  const [firstTiming, secondTiming] = splitTiming(line, offset);
  const { pauseAfter, ...before } = line;
  const first = { ...before, content: line.content.slice(0, offset), ...firstTiming };
  const second = createLine({
    ...toDelivery(line),
    ...(newId !== undefined && { id: newId }),
    roleId: line.roleId,
    content: line.content.slice(offset),
    ...(pauseAfter !== undefined && { pauseAfter }),
    ...secondTiming,
  });
  return { ...script, lines: spliced(script.lines, index, 1, first, second) };
}

function merge(script: Script, id: string): Script {
  const index = indexOf(script, id);
  const before = script.lines[index - 1];
  const line = script.lines[index];
  if (!before || !line) return script;
  const joined: ScriptLine = { ...before, ...joinTiming(before, line), content: before.content + line.content };
  if (before.pauseAfter !== line.pauseAfter) joined.pauseAfter = line.pauseAfter;
  return { ...script, lines: spliced(script.lines, index - 1, 2, joined) };
}

function insert(script: Script, after: string | null, lines: readonly ScriptLine[]): Script {
  const at = after === null ? 0 : indexOf(script, after) + 1;
  const free = scriptLinesMax - script.lines.length;
  if (lines.length === 0 || free <= 0 || (after !== null && at === 0)) return script;
  return { ...script, lines: spliced(script.lines, at, 0, ...lines.slice(0, free)) };
}

function move(script: Script, id: string, to: number): Script {
  const from = indexOf(script, id);
  const line = script.lines[from];
  const target = Math.min(Math.max(to, 0), script.lines.length - 1);
  if (!line || target === from) return script;
  const others = spliced(script.lines, from, 1);
  const placed = withTimeBetween(line, others.slice(0, target), others.slice(target));
  return { ...script, lines: spliced(others, target, 0, placed) };
}

function remove(script: Script, ids: readonly string[]): Script {
  const removed = new Set(ids);
  const lines = script.lines.filter(({ id }) => !removed.has(id));
  if (lines.length > 0) return lines.length === script.lines.length ? script : { ...script, lines };
  const [first] = script.lines;
  if (!first || (script.lines.length === 1 && first.content === "")) return script;
  return { ...script, lines: [createLine({ ...toDelivery(first), roleId: first.roleId })] };
}

function setTexts(script: Script, contents: ReadonlyMap<string, string>): Script {
  let isChanged = false;
  const lines = script.lines.map((line) => {
    const content = contents.get(line.id);
    if (content === undefined || content === line.content) return line;
    isChanged = true;
    return { ...line, content };
  });
  return isChanged ? { ...script, lines } : script;
}

const historyDepth = 200;
/** Typing with shorter pauses is undone in one step. */
const typingPauseMs = 1000;

export interface History {
  past: readonly Script[];
  present: Script;
  future: readonly Script[];
  /** The text that the latest step edited; typing on extends that step. */
  typing: { key: string; atMs: number } | null;
}

export const createHistory = (present: Script): History => ({ past: [], present, future: [], typing: null });

/** Applies an edit. Consecutive edits of one line's text, or of the title, become one step. */
export function applyToHistory(history: History, edit: Edit, nowMs: number): History {
  const present = applyEdit(history.present, edit);
  if (present === history.present) return history;
  const key = edit.type === "text" ? edit.id : edit.type === "title" ? "title" : null;
  const { typing } = history;
  const extendsStep = key !== null && typing?.key === key && nowMs - typing.atMs < typingPauseMs;
  return {
    past: extendsStep ? history.past : [...history.past, history.present].slice(-historyDepth),
    present,
    future: [],
    typing: key === null ? null : { key, atMs: nowMs },
  };
}

export function undo(history: History): History {
  const present = history.past.at(-1);
  if (!present) return history;
  return { past: history.past.slice(0, -1), present, future: [history.present, ...history.future], typing: null };
}

export function redo(history: History): History {
  const [present, ...future] = history.future;
  if (!present) return history;
  return { past: [...history.past, history.present], present, future, typing: null };
}

/** The first line whose text differs from `before`, and where the difference ends; null without one. */
export function findChange(before: Script, after: Script): { id: string; at: number } | null {
  const earlier = new Map(before.lines.map((line) => [line.id, line.content]));
  const changed =
    after.lines.find(({ id, content }) => earlier.has(id) && earlier.get(id) !== content) ??
    after.lines.find(({ id }) => !earlier.has(id));
  if (!changed) return null;
  const old = earlier.get(changed.id) ?? "";
  let same = 0;
  while (same < Math.min(old.length, changed.content.length) && old.at(-1 - same) === changed.content.at(-1 - same))
    same++;
  return { id: changed.id, at: changed.content.length - same };
}
