import { useCallback, useEffect, useRef, useState } from "react";
import { bffPaths, call, type Refusal, refusalOf } from "~/call";
import { type TaskEvent, useTaskEvents } from "~/features/tasks/task-events";
import type { CloneRecord, CloneView } from "~server/bff/generations.server";
import { type ErrorCode, errorCodes } from "~server/contract/codes";
import { filterQuery, type RecordsFilter } from "./filter";

/** Changes since the list was read. */
export interface LocalChanges {
  /** Records that are not in the list yet. */
  created: readonly CloneRecord[];
  removed: ReadonlySet<string>;
  /** The latest event of each task. */
  events: ReadonlyMap<string, TaskEvent>;
}

const noChanges: LocalChanges = { created: [], removed: new Set(), events: new Map() };
/** Refresh requests within this time are combined. */
const refreshDelayMs = 120;

interface RecordsOptions {
  filter: RecordsFilter;
  /** The document came without the list. */
  isLater: boolean;
}

/** The page of records: the loaded list, updated by events and local changes. */
export function useRecords(loaded: CloneView, isLoggedIn: boolean, options: RecordsOptions) {
  const [changes, setChanges] = useState(noChanges);
  const [lastLoaded, setLastLoaded] = useState(loaded);
  const [view, setView] = useState(loaded);
  const [lastPage, setLastPage] = useState(loaded.page);
  const statuses = useRef(new Map<string, number>());
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const { read, refresh } = useRefresh({ ...options, onView: setView, onRefused: setRefusal });
  const { page } = view;

  // New loader data replaces the refreshed view.
  if (lastLoaded.page !== loaded.page || lastLoaded.allowance !== loaded.allowance) {
    setLastLoaded(loaded);
    setView(loaded);
  }

  // After a failed read the previous page stays.
  if (page && lastPage !== page) {
    setLastPage(page);
    const listed = new Set(page.records.map(({ taskId }) => taskId));
    setChanges(({ created, removed }) => ({
      created: created.filter(({ taskId }) => !listed.has(taskId)),
      removed: new Set([...removed].filter((taskId) => listed.has(taskId))),
      events: new Map(),
    }));
  }

  const onEvent = useCallback(
    (event: TaskEvent) => {
      if (event.kind !== "clone") return;
      setChanges((now) => ({ ...now, events: new Map(now.events).set(event.taskId, event) }));
      // Only a new status needs a read: for the files, or for a task of another tab.
      if (statuses.current.get(event.taskId) !== event.status) refresh();
      statuses.current.set(event.taskId, event.status);
    },
    [refresh],
  );
  const records = mergeRecords(lastPage?.records ?? [], changes);
  const isBusy = records.some(({ status }) => status === 1);
  useTaskEvents(onEvent, { onStale: refresh, isWatching: isLoggedIn, isBusy });

  useEffect(() => {
    if (options.isLater && isLoggedIn) void read();
  }, [options.isLater, isLoggedIn, read]);

  useEffect(() => {
    for (const { taskId, status } of page?.records ?? []) statuses.current.set(taskId, status);
  }, [page]);

  return {
    records,
    total: Math.max(0, (lastPage?.total ?? 0) + changes.created.length - changes.removed.size),
    isUncounted: lastPage?.isUncounted,
    allowance: view.allowance,
    isRead: lastPage !== null,
    isPending: options.isLater && lastPage === null && refusal === null,
    /** Of the last read that failed. */
    refusal,
    refresh,
    /** Without the record it resolves when the list was read again. */
    async onCreated(record: CloneRecord | null) {
      if (!record) return read();
      setChanges((now) => ({
        ...now,
        created: [record, ...now.created.filter(({ taskId }) => taskId !== record.taskId)],
      }));
      refresh();
    },
    setRemoved(ids: readonly string[], isRemoved: boolean) {
      setChanges((now) => {
        const removed = new Set(now.removed);
        for (const id of ids) isRemoved ? removed.add(id) : removed.delete(id);
        return { ...now, removed };
      });
    },
  };
}

interface RecordsRead extends Pick<RecordsOptions, "filter"> {
  onView(view: CloneView): void;
  onRefused(refusal: Refusal): void;
}

/** Returns functions that read the view again, at once or after `refreshDelayMs`; a later read aborts the earlier one. */
function useRefresh(reading: RecordsRead) {
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const running = useRef<AbortController>();
  const latest = useRef(reading);
  useEffect(() => {
    latest.current = reading;
  });
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      running.current?.abort();
    },
    [],
  );
  const read = useCallback(async () => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const requested = latest.current.filter;
    const isOutdated = () => controller.signal.aborted || requested !== latest.current.filter;
    try {
      const path = bffPaths.clones + filterQuery(requested, requested);
      const view = await call<CloneView>(path, { signal: controller.signal });
      if (!isOutdated()) latest.current.onView(view);
    } catch (error) {
      if (!isOutdated()) latest.current.onRefused(refusalOf(error));
    }
  }, []);
  const refresh = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(read, refreshDelayMs);
  }, [read]);
  return { read, refresh };
}

/** The list with local changes. A record whose finish event arrived stays running until its files are read. */
export function mergeRecords(list: readonly CloneRecord[], { created, removed, events }: LocalChanges): CloneRecord[] {
  const listed = new Set(list.map(({ taskId }) => taskId));
  return [...created.filter(({ taskId }) => !listed.has(taskId)), ...list]
    .filter(({ taskId }) => !removed.has(taskId))
    .map((record) => applyEvent(record, events.get(record.taskId)));
}

function applyEvent(record: CloneRecord, event: TaskEvent | undefined): CloneRecord {
  if (!event || (record.status !== 1 && record.status === event.status)) return record;
  const { progress, segDone, segTotal, queuePos } = event;
  if (event.status === 2) return { ...record, status: 1, progress: 1, segDone, segTotal, queuePos: 0, refusal: null };
  const refusal = event.status === 3 ? { code: toErrorCode(event.msg) } : null;
  return { ...record, status: event.status, progress, segDone, segTotal, queuePos, refusal };
}

const toErrorCode = (msg: string): ErrorCode => errorCodes.find((code) => code === msg) ?? "synthesis-failed";
