import { scriptLinesMax } from "~server/contract/limits";
import { parseMarks } from "~server/contract/marks";
import { createLine, deliveryOf, type Script, type ScriptLine, titleMax } from "./script";

export type Edit =
  | { type: "title"; title: string }
  | { type: "text"; id: string; content: string }
  | { type: "set"; ids: readonly string[]; change: Partial<Omit<ScriptLine, "id">> }
  | { type: "split"; id: string; at: number; newId?: string }
  /** Joins the line to the one before it. */
  | { type: "merge"; id: string }
  /** null: at the beginning. */
  | { type: "insert"; after: string | null; lines: readonly ScriptLine[] }
  | { type: "move"; id: string; to: number }
  | { type: "remove"; id: string }
  | { type: "replace"; script: Script };

/** The script after an edit; the same object when the edit changes nothing. There is always at least one line, and never more than `scriptLinesMax`. */
export function applyEdit(script: Script, edit: Edit): Script {
  switch (edit.type) {
    case "title":
      return withTitle(script, edit.title);
    case "text":
      return withChanged(script, [edit.id], { content: edit.content });
    case "set":
      return withChanged(script, edit.ids, edit.change);
    case "split":
      return split(script, edit);
    case "merge":
      return merge(script, edit.id);
    case "insert":
      return insert(script, edit.after, edit.lines);
    case "move":
      return move(script, edit.id, edit.to);
    case "remove":
      return remove(script, edit.id);
    case "replace":
      return edit.script;
  }
}

/** toSpliced, which older phones lack. */
function spliced<Item>(items: readonly Item[], at: number, removed: number, ...added: Item[]): Item[] {
  return [...items.slice(0, at), ...added, ...items.slice(at + removed)];
}

const placeOf = ({ lines }: Script, id: string) => lines.findIndex((line) => line.id === id);

function withTitle(script: Script, wanted: string): Script {
  const title = [...wanted].slice(0, titleMax).join("");
  return title === script.title ? script : { ...script, title };
}

function withChanged(script: Script, ids: readonly string[], change: Partial<ScriptLine>): Script {
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

/** The nearest place at or before `at` that is inside neither a mark nor a character. */
export function wholePlace(content: string, at: number): number {
  const place = Math.min(Math.max(at, 0), content.length);
  const mark = parseMarks(content).find(
    ({ kind, offset, length }) => kind !== "text" && place > offset && place < offset + length,
  );
  if (mark) return mark.offset;
  const code = content.charCodeAt(place);
  return place > 0 && code >= 0xdc00 && code <= 0xdfff ? place - 1 : place;
}

function split(script: Script, { id, at, newId }: Extract<Edit, { type: "split" }>): Script {
  const index = placeOf(script, id);
  const line = script.lines[index];
  if (!line || script.lines.length >= scriptLinesMax) return script;
  const place = wholePlace(line.content, at);
  const middleMs = middleOf(line, place);
  const first = { ...line, content: line.content.slice(0, place), ...(middleMs !== null && { endMs: middleMs }) };
  const second = createLine({
    ...deliveryOf(line),
    ...(newId !== undefined && { id: newId }),
    roleId: line.roleId,
    content: line.content.slice(place),
    ...(middleMs !== null && { startMs: middleMs, endMs: line.endMs }),
  });
  return { ...script, lines: spliced(script.lines, index, 1, first, second) };
}

/** A subtitle's time is shared out by how much text each part has. */
function middleOf({ startMs, endMs, content }: ScriptLine, place: number): number | null {
  if (startMs === undefined || endMs === undefined) return null;
  return Math.round(startMs + (endMs - startMs) * (content.length === 0 ? 1 : place / content.length));
}

function merge(script: Script, id: string): Script {
  const index = placeOf(script, id);
  const before = script.lines[index - 1];
  const line = script.lines[index];
  if (!before || !line) return script;
  const joined: ScriptLine = { ...before, content: before.content + line.content };
  if (before.startMs !== undefined && line.endMs !== undefined) joined.endMs = Math.max(before.startMs, line.endMs);
  return { ...script, lines: spliced(script.lines, index - 1, 2, joined) };
}

function insert(script: Script, after: string | null, lines: readonly ScriptLine[]): Script {
  const at = after === null ? 0 : placeOf(script, after) + 1;
  const room = scriptLinesMax - script.lines.length;
  if (lines.length === 0 || room <= 0 || (after !== null && at === 0)) return script;
  return { ...script, lines: spliced(script.lines, at, 0, ...lines.slice(0, room)) };
}

function move(script: Script, id: string, to: number): Script {
  const from = placeOf(script, id);
  const line = script.lines[from];
  const target = Math.min(Math.max(to, 0), script.lines.length - 1);
  if (!line || target === from) return script;
  return { ...script, lines: spliced(spliced(script.lines, from, 1), target, 0, line) };
}

function remove(script: Script, id: string): Script {
  const index = placeOf(script, id);
  const line = script.lines[index];
  if (!line) return script;
  if (script.lines.length === 1) {
    return line.content === ""
      ? script
      : { ...script, lines: [createLine({ ...deliveryOf(line), roleId: line.roleId })] };
  }
  return { ...script, lines: spliced(script.lines, index, 1) };
}
