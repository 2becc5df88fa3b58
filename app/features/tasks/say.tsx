import { type FormEvent, type ReactNode, useEffect, useId, useMemo, useState } from "react";
import { sayCopy as words } from "~/copy/share";
import { Button } from "~/ui/button";
import { charactersFree } from "~server/contract/limits";
import { countCharacters } from "~server/contract/marks";
import type { Speech, SpokenTimeline } from "~server/portrait/spoken-timeline";

interface SayFieldProps {
  /** Name of the speaker. */
  name: string;
  text: string;
  onText(text: string): void;
  onSay(): void;
  isPending: boolean;
  /** The button's words where it does something else than to let the person speak. */
  action?: string | undefined;
}

/** A sentence for a person to say, with its button. */
export function SayField({ name, text, onText, onSay, isPending, action }: SayFieldProps) {
  const id = useId();
  const [isAsked, setAsked] = useState(false);
  const excess = countCharacters(text) - charactersFree;
  const isEmpty = text.trim() === "";
  const problem = excess > 0 ? words.over(excess) : isAsked && isEmpty ? words.empty : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (!isPending && !isEmpty && excess <= 0) onSay();
  };
  return (
    <form className="grid grid-cols-[minmax(0,1fr)] gap-2" noValidate onSubmit={submit}>
      <label className="font-semibold" htmlFor={id}>
        {words.label(name)}
      </label>
      <div className="flex flex-wrap gap-2">
        <input
          aria-describedby={problem ? `${id}-problem` : undefined}
          aria-invalid={problem ? true : undefined}
          autoComplete="off"
          className={`min-h-[44px] min-w-0 flex-[1_1_12rem] rounded border bg-surface px-3.5 text-base placeholder:text-muted ${problem ? "border-seal" : "border-edge"}`}
          enterKeyHint="go"
          id={id}
          onChange={(event) => onText(event.target.value)}
          placeholder={words.placeholder}
          value={text}
        />
        <Button kind="primary" pending={isPending} type="submit">
          {isPending ? words.pending : (action ?? words.go)}
        </Button>
      </div>
      {problem && (
        <p className="text-xs text-seal" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}

/** A caption of one line: what was said of it, the words spoken now, and what follows. */
export interface Caption {
  before: string;
  current: string;
  after: string;
}

/** Words marked at a time. */
const markedUnits = 3;
/** Characters of a line, so that it fits 360 px at 16 px. */
const lineLength = 14;

/** Ends of lines in the text: after a punctuation mark, or where a line is full. */
function lineEnds(text: string): number[] {
  const ends: number[] = [];
  let start = 0;
  [...text.matchAll(/[^，。！？；：、…,.!?;:\s]+[，。！？；：、…,.!?;:\s]*/gu)].forEach(({ 0: phrase, index }) => {
    const end = index + phrase.length;
    if (end - start > lineLength && index > start) {
      ends.push(index);
      start = index;
    }
    while (end - start > lineLength) {
      start += lineLength;
      ends.push(start);
    }
  });
  return [...ends, text.length];
}

/** The caption at a time of the sound; the first line, unmarked, before its first word. */
export function captionAt(text: string, units: SpokenTimeline["units"], milliseconds: number): Caption {
  const ends = lineEnds(text);
  const last = units.findLastIndex(({ start }) => start <= milliseconds);
  const now = units[last];
  const spoken = now ? Math.min(text.length, now.offset + now.text.length) : 0;
  const line = Math.max(
    0,
    ends.findIndex((end) => spoken <= end),
  );
  const [lineStart, lineEnd] = [ends[line - 1] ?? 0, ends[line] ?? text.length];
  const marked = Math.min(spoken, Math.max(lineStart, units[Math.max(0, last - markedUnits + 1)]?.offset ?? 0));
  return {
    before: text.slice(lineStart, marked),
    current: text.slice(marked, spoken),
    after: text.slice(spoken, lineEnd),
  };
}

interface CaptionsProps {
  text: string;
  /** Undefined while nothing plays. */
  speech: Speech | undefined;
  /** Stands before the line. */
  children?: ReactNode;
}

/** One line of captions that follows the sound. Assistive technology reads the whole text instead. */
export function Captions({ text, speech, children }: CaptionsProps) {
  const { before, current, after } = useCaption(text, speech);
  return (
    <div className="flex min-h-[44px] items-center gap-3">
      {children}
      <p className="sr-only">{text}</p>
      <p aria-hidden="true" className="min-w-0 flex-1 truncate font-song text-base md:text-lg" translate="no">
        {before}
        <b className="text-seal">{current}</b>
        {after}
      </p>
    </div>
  );
}

function useCaption(text: string, speech: Speech | undefined): Caption {
  const resting = useMemo(() => captionAt(text, [], 0), [text]);
  const [caption, setCaption] = useState<Caption | null>(null);
  useEffect(() => {
    const units = speech?.timeline?.units;
    if (!speech || !units) return setCaption(null);
    let shown = "";
    let frame = requestAnimationFrame(function next() {
      frame = requestAnimationFrame(next);
      const seconds = speech.seconds();
      if (seconds === null) return;
      const now = captionAt(text, units, seconds * 1000);
      const key = `${now.before}|${now.current}|${now.after}`;
      if (key === shown) return;
      shown = key;
      setCaption(now);
    });
    return () => cancelAnimationFrame(frame);
  }, [text, speech]);
  return caption ?? resting;
}
