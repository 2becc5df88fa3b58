import { useEffect, useRef, useState } from "react";
import type { Speaker } from "../editor/script";
import { rememberedCast } from "./casting";
import {
  findRoles,
  type ImportAnswer,
  type ImportStage,
  matchNames,
  namesOf,
  type PendingImport,
  readPendingImports,
  savePendingImports,
  toDecisions,
  unasked,
} from "./pending-import";

interface PendingImportsOptions {
  speakers: ReadonlyMap<string, Speaker>;
  isLoggedIn: boolean;
  onSpeakers(speakers: readonly Speaker[]): void;
  /** Whether the user has to choose the import mode. */
  needsMode(pending: PendingImport): boolean;
  /** All names are decided. */
  onReady(pending: PendingImport, answer: ImportAnswer): void;
}

/** Finds roles for the names of pending imports, one import after the other because each may need a decision. */
export function usePendingImports({ speakers, isLoggedIn, onSpeakers, needsMode, onReady }: PendingImportsOptions) {
  const [stage, setStage] = useState<ImportStage | null>(null);
  const queue = useRef<PendingImport[]>([]);
  const search = useRef<AbortController | null>(null);

  const setQueue = (next: PendingImport[]) => {
    queue.current = next;
    savePendingImports(next);
  };
  const begin = () => {
    const [pending] = queue.current;
    if (!pending) return setStage(null);
    const names = namesOf(pending.lines);
    const known = matchNames(names, [...speakers.values()]);
    const unknown = names.filter((name) => !known.has(name));
    if (unknown.length === 0) return settle(pending, known);
    void searchRoles({ pending, phase: "searching", known, unknown, attempt: 1 });
  };
  const searchRoles = async (next: ImportStage) => {
    const { pending, known, unknown } = next;
    const controller = new AbortController();
    search.current = controller;
    setStage(next);
    const { found, failed } = await findRoles(unknown, { isLoggedIn, signal: controller.signal });
    if (search.current !== controller) return;
    search.current = null;
    if (found.length > 0) onSpeakers(found);
    const all = new Map([...known, ...matchNames(unknown, found)]);
    if (failed.length === 0 || controller.signal.aborted) return settle(pending, all);
    setStage({ ...next, phase: "failed", known: all, unknown: failed });
  };
  /** Asks the user about unknown names and the mode, or completes the import. */
  const settle = (pending: PendingImport, known: Map<string, string>) => {
    const unknown = namesOf(pending.lines).filter((name) => !known.has(name));
    const earlier = rememberedCast();
    onSpeakers(unknown.flatMap((name) => earlier[name] ?? []));
    if (unknown.length > 0 || needsMode(pending))
      return setStage({ pending, phase: "asking", known, unknown, attempt: 0 });
    onReady(pending, { ...unasked, decisions: toDecisions(known) });
    beginNext();
  };
  const beginNext = () => {
    setQueue(queue.current.slice(1));
    begin();
  };

  const resume = useRef(() => {});
  resume.current = () => {
    setQueue(readPendingImports());
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
    add(pending: PendingImport) {
      const isBusy = queue.current.length > 0;
      setQueue([...queue.current, pending]);
      if (!isBusy) begin();
    },
    retry: () => stage && void searchRoles({ ...stage, phase: "searching", attempt: stage.attempt + 1 }),
    /** Stops the search and asks about the names that are still unknown. */
    chooseNow: () => (stage?.phase === "failed" ? settle(stage.pending, stage.known) : search.current?.abort()),
    /** The user's decisions; null cancels the import. */
    answer(answer: ImportAnswer | null) {
      const decisions = new Map([...toDecisions(stage?.known ?? new Map()), ...(answer?.decisions ?? [])]);
      if (stage && answer) onReady(stage.pending, { ...answer, decisions });
      beginNext();
    },
  };
}
