import { useCallback, useEffect, useRef, useState } from "react";
import type { TaskEvent } from "~/features/tasks/feed";
import { useTaskEvents } from "~/features/tasks/use-task-events";
import type { Allowance } from "~server/bff/accounts.server";
import type { ClonePage, CloneRecord } from "~server/bff/generations.server";
import { readView } from "../clone-client";
import { type Filter, filterQuery } from "../filter";
import { mergeRecords, type Since } from "./merge";

const nothing: Since = { made: [], gone: new Set(), moves: new Map() };
/** Several reasons to read the list again within this time are one. */
const gatherMs = 120;

interface CloneView {
  page: ClonePage | null;
  allowance: Allowance | null;
}

interface Options {
  filter: Filter;
  onExpired(): void;
}

/** The page of records as it is now: what was read, what is heard by events, and what was done here since. */
export function useRecords(loaded: CloneView, isLoggedIn: boolean, options: Options) {
  const [since, setSince] = useState(nothing);
  const [arrived, setArrived] = useState(loaded);
  const [view, setView] = useState(loaded);
  const [read, setRead] = useState(loaded.page);
  const statuses = useRef(new Map<string, number>());
  const refresh = useRefresh({ ...options, onView: setView });
  const { page } = view;

  // The loader's newest answer wins over what was asked since the one before.
  if (arrived.page !== loaded.page || arrived.allowance !== loaded.allowance) {
    setArrived(loaded);
    setView(loaded);
  }

  // A reading that failed says nothing new: what was read before stays.
  if (page && read !== page) {
    setRead(page);
    const known = new Set(page.records.map(({ taskId }) => taskId));
    setSince(({ made, gone }) => ({
      made: made.filter(({ taskId }) => !known.has(taskId)),
      gone: new Set([...gone].filter((taskId) => known.has(taskId))),
      moves: new Map(),
    }));
  }

  const onEvent = useCallback(
    (event: TaskEvent) => {
      if (event.kind !== "clone") return;
      setSince((now) => ({ ...now, moves: new Map(now.moves).set(event.taskId, event) }));
      // Files, and what another tab began, are read; mere progress is not worth it.
      if (statuses.current.get(event.taskId) !== event.status) refresh();
      statuses.current.set(event.taskId, event.status);
    },
    [refresh],
  );
  const records = mergeRecords(read?.records ?? [], since);
  const isBusy = records.some(({ status }) => status === 1);
  useTaskEvents(onEvent, { onStale: refresh, isWatching: isLoggedIn, isBusy });

  useEffect(() => {
    for (const { taskId, status } of page?.records ?? []) statuses.current.set(taskId, status);
  }, [page]);

  return {
    records,
    // What was made or deleted here counts at once, as it shows at once.
    total: Math.max(0, (read?.total ?? 0) + since.made.length - since.gone.size),
    allowance: view.allowance,
    isRead: read !== null,
    refresh,
    onMade(record: CloneRecord | null) {
      if (record) setSince((now) => ({ ...now, made: [record, ...now.made] }));
      refresh();
    },
    setGone(ids: readonly string[], isGone: boolean) {
      setSince((now) => {
        const gone = new Set(now.gone);
        for (const id of ids) isGone ? gone.add(id) : gone.delete(id);
        return { ...now, gone };
      });
    },
  };
}

/** Reads what the page shows again, apart from everything else on it; the newest question wins. */
function useRefresh({ filter, onView, onExpired }: Options & { onView(view: CloneView): void }) {
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const asking = useRef<AbortController>();
  const latest = useRef({ filter, onView, onExpired });
  useEffect(() => {
    latest.current = { filter, onView, onExpired };
  });
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      asking.current?.abort();
    },
    [],
  );
  return useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(async () => {
      asking.current?.abort();
      const controller = new AbortController();
      asking.current = controller;
      const asked = latest.current.filter;
      const answer = await readView(filterQuery(asked, asked), controller.signal);
      if (controller.signal.aborted || asked !== latest.current.filter) return;
      if (answer.ok) latest.current.onView(answer);
      else if (answer.refusal.code === "login-expired") latest.current.onExpired();
    }, gatherMs);
  }, []);
}
