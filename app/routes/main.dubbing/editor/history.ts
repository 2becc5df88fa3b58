import { applyEdit, type Edit } from "./edits";
import type { Script } from "./script";

const depth = 200;
/** Typing that pauses for less than this is undone in one step. */
const typingMs = 1000;

export interface History {
  past: readonly Script[];
  present: Script;
  future: readonly Script[];
  /** What the latest edit may still grow with. */
  typing: { key: string; atMs: number } | null;
}

export const createHistory = (present: Script): History => ({ past: [], present, future: [], typing: null });

/** Edits of one line's text, or of the title, close to each other become one step; everything else is a step of its own. */
export function edited(history: History, edit: Edit, nowMs: number): History {
  const present = applyEdit(history.present, edit);
  if (present === history.present) return history;
  const key = edit.type === "text" ? edit.id : edit.type === "title" ? "title" : null;
  const { typing } = history;
  const grows = key !== null && typing?.key === key && nowMs - typing.atMs < typingMs;
  return {
    past: grows ? history.past : [...history.past, history.present].slice(-depth),
    present,
    future: [],
    typing: key === null ? null : { key, atMs: nowMs },
  };
}

export function undone(history: History): History {
  const present = history.past.at(-1);
  if (!present) return history;
  return { past: history.past.slice(0, -1), present, future: [history.present, ...history.future], typing: null };
}

export function redone(history: History): History {
  const [present, ...future] = history.future;
  if (!present) return history;
  return { past: [...history.past, history.present], present, future, typing: null };
}

/** Where two scripts first differ: the line of `after` to look at, and the place behind the difference. Null where only order or settings do. */
export function changedPlace(before: Script, after: Script): { id: string; at: number } | null {
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
