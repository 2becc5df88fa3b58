import { useEffect, useRef, useState } from "react";
import type { Speaker } from "../editor/state";
import { findCast } from "./find-cast";
import { type Decision, matchNames, namesOf } from "./parse-script";
import { type Coming, keepComing, readComing, type Way } from "./pending-import";

interface Options {
  speakers: ReadonlyMap<string, Speaker>;
  /** Visitors have no roles of their own to look among. */
  isLoggedIn: boolean;
  onSpeakers(speakers: readonly Speaker[]): void;
  /** Whether it has to be asked where these lines go. */
  needsPlace(coming: Coming): boolean;
  /** Everybody who speaks in it is known; `way` where somebody chose. */
  onCast(coming: Coming, decisions: Map<string, Decision>, way?: Way): void;
}

/** How far the first of those on their way has come. */
interface Stage {
  coming: Coming;
  phase: "seeking" | "failed" | "asking";
  known: Map<string, string>;
  /** Names nobody is known for: sought now, not answered, or to be asked for. */
  unknown: string[];
  attempt: number;
}

/** Scripts on their way into the editor, one after the other, since each may have a question. */
export function useComing({ speakers, isLoggedIn, onSpeakers, needsPlace, onCast }: Options) {
  const [stage, setStage] = useState<Stage | null>(null);
  const waiting = useRef<Coming[]>([]);
  const search = useRef<AbortController | null>(null);

  const keepWaiting = (next: Coming[]) => {
    waiting.current = next;
    keepComing(next);
  };
  const begin = () => {
    const [coming] = waiting.current;
    if (!coming) return setStage(null);
    const names = namesOf(coming.lines);
    const known = matchNames(names, [...speakers.values()]);
    const unknown = names.filter((name) => !known.has(name));
    if (unknown.length === 0) return settle(coming, known);
    void seek({ coming, phase: "seeking", known, unknown, attempt: 1 });
  };
  const seek = async (sought: Stage) => {
    const { coming, known, unknown } = sought;
    const controller = new AbortController();
    const { signal } = controller;
    search.current = controller;
    setStage(sought);
    const found: Speaker[] = [];
    const unanswered = await findCast(unknown, { isLoggedIn, signal, onFound: (one) => found.push(one) });
    if (search.current !== controller) return;
    search.current = null;
    if (found.length > 0) onSpeakers(found);
    const all = new Map([...known, ...matchNames(unknown, found)]);
    if (unanswered.length === 0 || signal.aborted) return settle(coming, all);
    setStage({ ...sought, phase: "failed", known: all, unknown: unanswered });
  };
  /** Whoever is still unknown is asked for; else the lines go in. */
  const settle = (coming: Coming, known: Map<string, string>) => {
    const unknown = namesOf(coming.lines).filter((name) => !known.has(name));
    if (unknown.length > 0 || needsPlace(coming))
      return setStage({ coming, phase: "asking", known, unknown, attempt: 0 });
    onCast(coming, decisionsOf(known));
    next();
  };
  const next = () => {
    keepWaiting(waiting.current.slice(1));
    begin();
  };

  const resume = useRef(() => {});
  resume.current = () => {
    keepWaiting(readComing());
    begin();
  };
  useEffect(() => {
    resume.current();
    return () => {
      search.current?.abort();
      search.current = null;
    };
  }, []);

  return {
    stage,
    take(coming: Coming) {
      const isBusy = waiting.current.length > 0;
      keepWaiting([...waiting.current, coming]);
      if (!isBusy) begin();
    },
    retry: () => stage && void seek({ ...stage, phase: "seeking", attempt: stage.attempt + 1 }),
    /** Waits no longer: whoever was found speaks, for the others it is asked. */
    chooseNow: () => (stage?.phase === "failed" ? settle(stage.coming, stage.known) : search.current?.abort()),
    /** What was asked is answered; null takes nothing in. */
    answer(answer: { decisions: Map<string, Decision>; way: Way } | null) {
      if (stage && answer)
        onCast(stage.coming, new Map([...decisionsOf(stage.known), ...answer.decisions]), answer.way);
      next();
    },
  };
}

const decisionsOf = (known: ReadonlyMap<string, string>) =>
  new Map<string, Decision>([...known].map(([name, roleId]) => [name, { roleId }]));
