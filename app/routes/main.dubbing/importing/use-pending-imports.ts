import { useEffect, useRef, useState } from "react";
import { loadAhead } from "~/ui/lazy-part";
import { createSavedValue, owned } from "~/ui/store";
import type { Speaker } from "../editor/script";
import type { ParsedLine } from "./parsed-line";
import {
  findRoles,
  type ImportAnswer,
  type ImportStage,
  matchNames,
  type NameDecisions,
  nameless,
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

interface Novel {
  pending: PendingImport;
  /** The same text with its speakers. */
  cast: ParsedLine[];
}

const quotation = /[“「『"]/u;

/** Asks of a text with talk in quotation marks whether its people get voices of their own. */
export function useNovelQuestion(add: (pending: PendingImport) => void) {
  const [novel, setNovel] = useState<Novel | null>(null);
  return {
    /** Adds a text at once that is no novel. */
    async addRead(pending: PendingImport) {
      const { spot, lines } = pending;
      const hasTalk = !spot && lines.some(({ text }) => quotation.test(text));
      const rules = hasTalk ? await import("./cast-novel").catch(() => null) : null;
      const cast = rules?.isNovel(lines) ? rules.castNovel(lines) : [];
      if (cast.some(({ name }) => name !== null)) setNovel({ pending, cast });
      else add(pending);
    },
    question: novel && {
      cast: novel.cast,
      choose(reading: "cast" | "narrator") {
        setNovel(null);
        add(reading === "cast" ? { ...novel.pending, lines: novel.cast, asksRole: true } : novel.pending);
      },
      cancel: () => setNovel(null),
    },
  };
}

/** The roles that names got at earlier imports, so that the volumes of a series sound alike. */
const savedCast = createSavedValue(owned("dubbing-cast"), (json) => json as Record<string, Speaker> | null, "local");
const castMax = 300;

export const rememberedCast = (): Readonly<Record<string, Speaker>> => savedCast.read() ?? {};

export function rememberCast(decisions: NameDecisions, speakers: ReadonlyMap<string, Speaker>) {
  const chosen = [...decisions].flatMap(([name, decision]) => {
    const speaker = name !== nameless && decision !== "text" ? speakers.get(decision.roleId) : undefined;
    return speaker ? [[name, speaker] as const] : [];
  });
  const kept = Object.entries(rememberedCast()).filter(([name]) => !decisions.has(name));
  savedCast.write(Object.fromEntries([...kept, ...chosen].slice(-castMax)));
}

export const loadReaders = () => Promise.all([import("~/features/pasted/to-spoken-text"), import("./script-text")]);
loadAhead(loadReaders);

const likeLyricsOrAss = /^\s*[[［{]\d+[:：,}]|^\s*Dialogue\s*:/im;
/** The reader of lyrics and ASS is loaded for a text that looks like them. */
export const loadParser = async (text: string) =>
  likeLyricsOrAss.test(text)
    ? (await import("./open-script-file")).parseScriptFile
    : (await loadReaders())[1].parseScript;

/** A row in which `toSpokenText` and `parseScript` find nothing. */
export const plainRow = /^(?!.*www\.)[^\n\r\u2028\u2029\v\f\t<>[\]()*#`|&_~\\:=+•◦▪●†-]*$/i;
