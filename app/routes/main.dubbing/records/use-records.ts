import { startTransition, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { refusalOf } from "~/call";
import { dubbingRecordsCopy as copy, formatWhen } from "~/copy/dubbing-records";
import { formatClock } from "~/copy/format";
import type { TaskEvent } from "~/features/tasks/task-events";
import { lazyPart } from "~/ui/lazy-part";
import type { Dub, DubPage } from "~server/bff/generations.server";
import type { Refusal } from "~server/bff/refusal.server";
import { listDubs } from "../dub";

const loadEndNotice = () => import("~/features/tasks/end-notice");
export const EndNoticeButton = lazyPart(async () => ({ default: (await loadEndNotice()).EndNoticeButton }));
/** Shows a browser notification of a dub's end while the page is in the background. */
export const tellEnd = (event: TaskEvent) =>
  void (document.hidden && loadEndNotice().then((it) => it.tellTaskEnd(event)));
export const hasEndNotices = () => "Notification" in window && Notification.permission === "granted";

export type FirstPage = DubPage | { refusal: Refusal } | null;

export interface RecordsState {
  phase: "loading" | "failed" | "ready";
  /** The dubs of the pages that were read, newest first. */
  list: Dub[];
  total: number;
  refusal: Refusal | null;
  more: "idle" | "loading" | "failed";
}

const typingPauseMs = 300;

/** The account's dubs: searched, paged and updated. */
export function useRecords(firstPage: FirstPage) {
  const [state, setState] = useState<RecordsState>(() => toInitialState(firstPage));
  const [keyword, setKeyword] = useState("");
  const page = useRef(1);
  const latestCall = useRef(0);

  const load = useCallback(async (pageNumber: number, word: string, isQuiet = false) => {
    const thisCall = ++latestCall.current;
    if (pageNumber === 1 && !isQuiet) setState((now) => ({ ...now, phase: "loading" }));
    if (pageNumber > 1) setState((now) => ({ ...now, more: "loading" }));
    try {
      const { list, total } = await listDubs(pageNumber, word);
      if (thisCall !== latestCall.current) return;
      page.current = pageNumber;
      setState((now) => ({
        phase: "ready",
        list: pageNumber === 1 ? list : [...now.list, ...list.filter((dub) => !now.list.some(isSame(dub)))],
        total,
        refusal: null,
        more: "idle",
      }));
    } catch (error) {
      if (thisCall !== latestCall.current || isQuiet) return;
      setState((now) =>
        pageNumber > 1 ? { ...now, more: "failed" } : { ...now, phase: "failed", refusal: refusalOf(error) },
      );
    }
  }, []);

  const shownKeyword = useRef("");
  useEffect(() => {
    if (shownKeyword.current === keyword) return;
    const timer = setTimeout(() => {
      shownKeyword.current = keyword;
      void load(1, keyword);
    }, typingPauseMs);
    return () => clearTimeout(timer);
  }, [keyword, load]);

  return {
    state,
    keyword,
    setKeyword,
    retry: () => load(1, keyword),
    loadMore: () => load(page.current + 1, keyword),
    /** Reads the first page again; a failure leaves the list as it is. */
    refresh: useCallback(() => load(1, shownKeyword.current, true), [load]),
    upsert: useCallback((dub: Dub) => {
      setState((now) => (now.phase === "ready" ? withDub(now, dub, shownKeyword.current !== "") : now));
    }, []),
    remove: useCallback((dubbId: string) => {
      setState((now) => ({
        ...now,
        list: now.list.filter((dub) => dub.dubbId !== dubbId),
        total: Math.max(0, now.total - 1),
      }));
    }, []),
  };
}

export type Records = ReturnType<typeof useRecords>;

function toInitialState(firstPage: FirstPage): RecordsState {
  const empty: RecordsState = { phase: "ready", list: [], total: 0, refusal: null, more: "idle" };
  if (!firstPage) return empty;
  if ("refusal" in firstPage) return { ...empty, phase: "failed", refusal: firstPage.refusal };
  return { ...empty, list: firstPage.list, total: firstPage.total };
}

const isSame = (dub: Dub) => (other: Dub) => dub.dubbId === other.dubbId;
const createdAtMs = ({ createdAt }: Dub) => Date.parse(createdAt);

/** Replaces a dub or adds a new one. Leaves out a new dub during a search, and a dub of a page that was not read. */
export function withDub(state: RecordsState, dub: Dub, isSearch: boolean): RecordsState {
  const { list, total } = state;
  if (list.some(isSame(dub))) return { ...state, list: list.map((one) => (isSame(dub)(one) ? dub : one)) };
  const last = list[list.length - 1];
  const isOnLaterPage = last !== undefined && list.length < total && createdAtMs(dub) <= createdAtMs(last);
  if (isOnLaterPage || isSearch) return state;
  return { ...state, list: [dub, ...list].sort((a, b) => createdAtMs(b) - createdAtMs(a)), total: total + 1 };
}

/** Length, voices and time of a dub. */
export function summaryOf({ lines, duration, createdAt, status }: Dub, nowMs: number): string {
  const names = [...new Set(lines.map(({ name }) => name))].filter(Boolean);
  const roles = new Set(lines.map(({ roleId }) => roleId)).size;
  const who = names.length === 1 ? names[0] : roles > 0 && copy.roles(roles);
  const length = status === 2 && duration > 0 ? formatClock(duration) : lines.length > 0 && copy.lines(lines.length);
  return [length, who, formatWhen(createdAt, nowMs)].filter(Boolean).join(" · ");
}

/** Dubs that correct each other, as one record at the place of the newest. */
export interface DubRecord {
  id: string;
  dub: Dub;
  /** Earlier versions, newest first. */
  earlier: readonly Dub[];
}

/** The same array each time, so that a card without versions renders only when its dub changes. */
const none: readonly Dub[] = [];

export function toRecords(list: readonly Dub[]): DubRecord[] {
  const versions = new Map<string, Dub[]>();
  for (const dub of list) {
    const id = dub.versionOf || dub.dubbId;
    const known = versions.get(id);
    if (known) known.push(dub);
    else versions.set(id, [dub]);
  }
  return [...versions].flatMap(([id, [dub, ...earlier]]) =>
    dub ? [{ id, dub, earlier: earlier.length > 0 ? earlier : none }] : [],
  );
}

const groupSize = 20;
/** With the gap below. */
const recordHeightPx = 136;

/**
 * The records in lists that the browser lays out apart. In one list every scrolled frame lays out all of them: 60 to
 * 128 ms with 500 records at a quarter of this machine's speed.
 */
export const toGroups = (all: readonly DubRecord[]) =>
  Array.from({ length: Math.ceil(all.length / groupSize) }, (_, key) => {
    const records = all.slice(key * groupSize, (key + 1) * groupSize);
    return { key, records, heightPx: records.length * recordHeightPx };
  });

export interface RecordActions {
  onPlay(dub: Dub): void;
  /** Plays the finished lines of a running dub. */
  onListen(dub: Dub): void;
  onEdit(dub: Dub): void;
  onChange(dub: Dub, act: "cancel" | "retry"): void;
  onRemove(dub: Dub): void;
}

/** The same object in every render, so that a card renders only when its own dub changes. */
export function useStableActions(actions: RecordActions): RecordActions {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  return useMemo(
    () => ({
      onPlay: (dub) => latest.current.onPlay(dub),
      onListen: (dub) => latest.current.onListen(dub),
      onEdit: (dub) => latest.current.onEdit(dub),
      onChange: (dub, act) => latest.current.onChange(dub, act),
      onRemove: (dub) => latest.current.onRemove(dub),
    }),
    [],
  );
}

const minuteMs = 60_000;

/** The current time, updated every minute for the relative times. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    // A transition, because every card renders.
    const timer = setInterval(() => startTransition(() => setNow(Date.now())), minuteMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}
