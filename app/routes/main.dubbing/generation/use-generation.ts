import { useCallback, useMemo, useRef, useState } from "react";
import type { TaskEvent } from "~/features/tasks/feed";
import type { Dub } from "~server/bff/generations.server";
import type { Refusal } from "~server/bff/refusal.server";
import { type DubLine, dubClient, Refused } from "../dub-client";
import { deliveryOf, isBlank, type Script, type ScriptLine } from "../editor/script";
import type { LineState } from "../editor/state";
import { failureWords } from "../failure-words";
import { lineStates, type MadeLines, withKnownLines, withMade, withoutDub } from "./made";

/** A line as the calls take it; what stays as it is goes unsaid. */
export function toDubLine(line: ScriptLine): DubLine {
  const { pitch, volume, ext, emotionPath, genre, speed } = deliveryOf(line);
  const { roleId, content, startMs, endMs } = line;
  return {
    roleId,
    content,
    speed,
    genre,
    ...(pitch && { pitch }),
    ...(volume && { volume }),
    ...(genre === 2 && { ext }),
    ...(genre === 1 && { emotionPath }),
    ...(startMs !== undefined && { startMs, endMs }),
  };
}

interface Options {
  onRefused(refusal: Refusal, lines: readonly ScriptLine[]): void;
  /** A dub moved on; not for takes. */
  onDub(dub: Dub): void;
  onEnded(dub: Dub): void;
  /** A dub is being made and is not in the list yet. */
  onUnlisted(): void;
}

const askAgainMs = 250;

/** What is being made of the script, and what is there already: dubs and takes, followed until they end. */
export function useMaking(initial: MadeLines, { onRefused, onDub, onEnded, onUnlisted }: Options) {
  const [made, setMade] = useState(initial);
  /** The newest first: the script's own dubs and takes. */
  const [followed, setFollowed] = useState<Dub[]>([]);
  const [isStarting, setStarting] = useState(false);
  const latest = useRef({ onRefused, onDub, onEnded, onUnlisted });
  latest.current = { onRefused, onDub, onEnded, onUnlisted };
  const sentLines = useRef(new Map<string, Dub["lines"]>());
  const asking = useRef(new Map<string, "asking" | "again">());

  const absorb = useCallback((dub: Dub) => setMade((now) => withMade(now, dub)), []);

  const hear = useCallback(
    (told: Dub) => {
      const dub = withKnownLines(told, sentLines.current.get(told.dubbId));
      absorb(dub);
      setFollowed((now) => now.map((one) => (one.dubbId === dub.dubbId ? dub : one)));
      if (!dub.isTake) latest.current.onDub(dub);
      if (dub.status !== 1) latest.current.onEnded(dub);
    },
    [absorb],
  );

  /** Reads a dub anew; once more when something happened while it was read. */
  const refresh = useCallback(
    async (taskId: string) => {
      if (asking.current.has(taskId)) return void asking.current.set(taskId, "again");
      asking.current.set(taskId, "asking");
      const dub = await dubClient.find(taskId).catch(() => null);
      if (dub) hear(dub);
      await new Promise((resolve) => setTimeout(resolve, askAgainMs));
      const isAgain = asking.current.get(taskId) === "again";
      asking.current.delete(taskId);
      if (isAgain) await refresh(taskId);
    },
    [hear],
  );

  const start = useCallback(
    async (script: Script, lines: readonly ScriptLine[], isTake: boolean): Promise<Dub | null> => {
      const spoken = lines.filter((line) => !isBlank(line));
      setStarting(true);
      try {
        const dub = await dubClient.create({ title: script.title, lines: spoken.map(toDubLine), isTake });
        if (!dub) {
          latest.current.onUnlisted();
          return null;
        }
        sentLines.current.set(dub.dubbId, dub.lines);
        setFollowed((now) => [dub, ...now.filter(({ status }) => status === 1 || !isTake)]);
        hear(dub);
        return dub;
      } catch (error) {
        latest.current.onRefused(error instanceof Refused ? error.refusal : { code: "request-failed" }, spoken);
        return null;
      } finally {
        setStarting(false);
      }
    },
    [hear],
  );

  const change = useCallback(
    async (taskId: string, act: "cancel" | "retry") => {
      try {
        await dubClient.change(taskId, act);
      } catch (error) {
        return latest.current.onRefused(error instanceof Refused ? error.refusal : { code: "request-failed" }, []);
      }
      await refresh(taskId);
    },
    [refresh],
  );

  return useMemo(
    () => ({
      made,
      followed,
      isStarting,
      /** Makes the whole script, or some lines of it to be listened to. Null when it was refused. */
      start,
      change,
      refresh,
      absorb,
      /** Follows a dub that was begun before this page. */
      follow(dub: Dub) {
        setFollowed((now) => (now.some(({ dubbId }) => dubbId === dub.dubbId) ? now : [...now, dub]));
        absorb(dub);
      },
      forget(dubbId: string) {
        setMade((now) => withoutDub(now, dubbId));
        setFollowed((now) => now.filter((dub) => dub.dubbId !== dubbId));
      },
      onEvent: ({ kind, taskId }: TaskEvent) => kind === "dub" && void refresh(taskId),
    }),
    [made, followed, isStarting, start, change, refresh, absorb],
  );
}

export type Making = ReturnType<typeof useMaking>;

/** How far each line is; a state that says the same is the same object, so that its line is not drawn again. */
export function useLineStates(
  lines: readonly ScriptLine[],
  { made, followed }: Making,
): ReadonlyMap<string, LineState> {
  const known = useRef(new Map<string, LineState>());
  return useMemo(() => {
    const states = lineStates(lines, made, followed, failureWords);
    for (const [id, state] of states) {
      const same = `${id} ${JSON.stringify(state)}`;
      states.set(id, known.current.get(same) ?? state);
    }
    known.current = new Map([...states].map(([id, state]) => [`${id} ${JSON.stringify(state)}`, state]));
    return states;
  }, [lines, made, followed]);
}
