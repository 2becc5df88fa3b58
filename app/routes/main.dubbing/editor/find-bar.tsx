import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { findCopy } from "~/copy/dubbing-tools";
import { findTextPlace } from "~/features/readings/marked-text";
import { notify } from "~/features/toasts/notify";
import { Button, IconButton } from "~/ui/button";
import { Icon } from "~/ui/icons/icon";
import { ToolIcon } from "~/ui/icons/tool-icon";
import { parseMarks } from "~server/contract/marks";
import type { ScriptLine } from "./script";
import { useSettledLines } from "./store";
import type { EditorStores } from "./use-line-actions";

/** A place of the sought text; offsets in the line's content, its marks included. */
export interface TextMatch {
  id: string;
  from: number;
  to: number;
}

/**
 * The places of a text in the lines, without regard to case. Readings and emphasis marks inside are passed over; a pause
 * is not.
 */
export function findMatches(lines: readonly Pick<ScriptLine, "id" | "content">[], sought: string): TextMatch[] {
  const needle = sought.toLowerCase();
  if (needle === "") return [];
  return lines.flatMap(({ id, content }) => {
    const { text, offsets } = toPlain(content);
    const found: TextMatch[] = [];
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
      const last = offsets[at + needle.length - 1];
      const first = offsets[at];
      if (first && last) found.push({ id, from: first.from, to: last.to });
    }
    return found;
  });
}

/** The text without its marks, a pause as a NUL, and the content offset of each of its units. */
function toPlain(content: string) {
  let text = "";
  const offsets: Array<{ from: number; to: number }> = [];
  for (const mark of parseMarks(content)) {
    const { offset, length } = mark;
    if (mark.kind === "emphasis") continue;
    if (mark.kind === "text") {
      for (let at = 0; at < length; at++) offsets.push({ from: offset + at, to: offset + at + 1 });
      text += lowerCase(mark.text);
      continue;
    }
    const shown = mark.kind === "reading" ? mark.char : "\0";
    for (let at = 0; at < shown.length; at++) offsets.push({ from: offset, to: offset + length });
    text += shown;
  }
  return { text, offsets };
}

/** Some letters get longer in lower case, which would move all offsets behind them. */
const lowerCase = (text: string) => text.replace(/[A-ZÀ-ÞΑ-Ω]/g, (letter) => letter.toLowerCase());

/** The contents of the changed lines after each match is replaced. */
export function replaceMatches(
  lines: readonly Pick<ScriptLine, "id" | "content">[],
  matches: readonly TextMatch[],
  replacement: string,
): Map<string, string> {
  const contents = new Map<string, string>();
  for (const { id, from, to } of [...matches].reverse()) {
    const content = contents.get(id) ?? lines.find((line) => line.id === id)?.content;
    if (content !== undefined) contents.set(id, content.slice(0, from) + replacement + content.slice(to));
  }
  return contents;
}

interface FindBarProps {
  editor: EditorStores;
  announce(text: string): void;
  onClose(): void;
}

/** Finds a text in all lines and replaces it; replacing all is one step of the history. */
export function FindBar({ editor, announce, onClose }: FindBarProps) {
  const { store, selection } = editor;
  const [sought, setSought] = useState("");
  const [replacement, setReplacement] = useState("");
  const [at, setAt] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const lines = useSettledLines(store);
  const matches = useMemo(() => findMatches(lines, sought), [lines, sought]);
  const current = Math.min(at, Math.max(0, matches.length - 1));
  const { rowOf } = selection;
  useEffect(() => input.current?.focus(), []);
  useHighlights(matches, current, rowOf);

  const show = useCallback(
    (index: number, all: readonly TextMatch[]) => {
      setAt(index);
      const match = all[index];
      if (match) rowOf(match.id)?.scrollIntoView({ block: "center" });
      announce(findCopy.count(index + 1, all.length));
    },
    [rowOf, announce],
  );
  const step = (by: number) => matches.length > 0 && show((current + by + matches.length) % matches.length, matches);
  const replace = (scope: "current" | "all") => {
    // The lines as they are now: the settled ones may be older.
    const { lines: latest } = store.get();
    const fresh = findMatches(latest, sought);
    const valid = scope === "all" ? fresh : fresh.slice(current, current + 1);
    if (valid.length === 0) return;
    store.edit({ type: "texts", contents: replaceMatches(latest, valid, replacement) });
    if (valid.length > 1) notify({ kind: "success", text: findCopy.replaced(valid.length) });
    announce(findCopy.replaced(valid.length));
  };
  const isNone = matches.length === 0;
  return (
    <form
      aria-label={findCopy.label}
      className="sticky top-16 z-10 grid gap-2 border-b border-line bg-surface px-3 py-2.5 md:flex md:flex-wrap md:items-center"
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
        // A form with two fields and no submit button is not submitted by Enter.
        if (event.key === "Enter" && event.target === input.current) {
          event.preventDefault();
          step(event.shiftKey ? -1 : 1);
        }
      }}
      onSubmit={(event) => event.preventDefault()}
    >
      <span className="flex min-w-0 flex-1 flex-wrap items-center gap-1 md:basis-72">
        <input
          aria-label={findCopy.find}
          className={field}
          enterKeyHint="search"
          maxLength={100}
          onChange={(event) => {
            setSought(event.target.value);
            show(0, findMatches(store.get().lines, event.target.value));
          }}
          placeholder={findCopy.find}
          ref={input}
          value={sought}
        />
        <span aria-hidden="true" className="tabular w-14 shrink-0 text-center text-xs text-muted">
          {sought !== "" && findCopy.short(isNone ? 0 : current + 1, matches.length)}
        </span>
        <IconButton disabled={isNone} label={findCopy.previous} onClick={() => step(-1)}>
          <ToolIcon className="[rotate:180deg]" name="down" size={18} />
        </IconButton>
        <IconButton disabled={isNone} label={findCopy.next} onClick={() => step(1)}>
          <ToolIcon name="down" size={18} />
        </IconButton>
        <IconButton className="quiet md:hidden" label={findCopy.close} onClick={onClose}>
          <Icon name="close" size={18} />
        </IconButton>
      </span>
      <span className="flex min-w-0 flex-1 flex-wrap items-center gap-1.5 md:basis-72">
        <input
          aria-label={findCopy.replaceWith}
          className={field}
          maxLength={100}
          onChange={(event) => setReplacement(event.target.value)}
          placeholder={findCopy.replaceWith}
          value={replacement}
        />
        <Button className="!px-3" disabled={isNone} onClick={() => replace("current")}>
          {findCopy.replace}
        </Button>
        <Button className="!px-3" disabled={isNone} onClick={() => replace("all")}>
          {findCopy.replaceAll}
        </Button>
        <IconButton className="quiet max-md:hidden" label={findCopy.close} onClick={onClose}>
          <Icon name="close" size={18} />
        </IconButton>
      </span>
    </form>
  );
}

const field =
  "h-11 min-w-[4em] flex-1 rounded border border-edge bg-transparent px-3 text-base placeholder:text-muted hover:border-ink";

/** Marks the matches in the rendered texts; browsers without custom highlights show the count and the line alone. */
function useHighlights(matches: readonly TextMatch[], current: number, rowOf: (id: string) => HTMLElement | undefined) {
  useEffect(() => {
    if (typeof CSS === "undefined" || !("highlights" in CSS)) return;
    const ranges = matches.flatMap(({ id, from, to }) => toRange(rowOf(id), from, to) ?? []);
    const active = matches[current];
    const activeRange = active && toRange(rowOf(active.id), active.from, active.to);
    CSS.highlights.set("found", new Highlight(...ranges));
    CSS.highlights.set("found-current", new Highlight(...(activeRange ? [activeRange] : [])));
    return () => {
      CSS.highlights.delete("found");
      CSS.highlights.delete("found-current");
    };
  }, [matches, current, rowOf]);
}

function toRange(row: HTMLElement | undefined, from: number, to: number): Range | null {
  const text = row?.querySelector<HTMLElement>("div.script-text");
  const start = text && findTextPlace(text, from);
  const end = text && findTextPlace(text, to);
  if (!start || !end) return null;
  const range = document.createRange();
  range.setStart(start.node, start.offset);
  range.setEnd(end.node, end.offset);
  return range;
}
