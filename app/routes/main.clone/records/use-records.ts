import { useRevalidator } from "@remix-run/react";
import { useCallback, useEffect, useRef, useState } from "react";
import type { TaskEvent } from "~/features/tasks/feed";
import { useTaskEvents } from "~/features/tasks/use-task-events";
import type { ClonePage, CloneRecord } from "~server/bff/clones.server";
import { mergeRecords, type Since } from "./merge";

const nothing: Since = { made: [], gone: new Set(), moves: new Map() };
/** Several reasons to read the list again within this time are one. */
const gatherMs = 120;

/** The page of records as it is now: what was read, what is heard by events, and what was done here since. */
export function useRecords(page: ClonePage | null, isLoggedIn: boolean) {
  const [since, setSince] = useState(nothing);
  const [read, setRead] = useState(page);
  const statuses = useRef(new Map<string, number>());
  const refresh = useRefresh();

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
  useTaskEvents(onEvent, { onStale: refresh, isWatching: isLoggedIn });

  useEffect(() => {
    for (const { taskId, status } of page?.records ?? []) statuses.current.set(taskId, status);
  }, [page]);

  return {
    records: mergeRecords(read?.records ?? [], since),
    total: read?.total ?? 0,
    isRead: read !== null,
    refresh,
    onMade(record: CloneRecord) {
      setSince((now) => ({ ...now, made: [record, ...now.made] }));
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

function useRefresh() {
  const { revalidate } = useRevalidator();
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(revalidate, gatherMs);
  }, [revalidate]);
}
