import { useLocation, useRevalidator } from "@remix-run/react";
import { useRef, useState } from "react";
import { callApi, changeTask, refusalOf } from "~/call";
import { sentenceFor } from "~/copy/errors";
import { worksCopy as words } from "~/copy/works";
import { usePlayer } from "~/features/player/provider";
import { type TaskEvent, useTaskEvents } from "~/features/tasks/task-events";
import { notify } from "~/features/toasts/notify";
import { paths } from "~/paths";
import { askToBuyFor, askToConfirm } from "~/state/dialog-requests";
import { entitlementReasonOf } from "~server/contract/codes";
import { mergeWorks, toRequest, type Work, type WorkFilter, type WorkPage } from "./filter";
import { titleOf } from "./work";

const noneLater: WorkPage["list"] = [];
/** Pages that were loaded after the first, by the visit's place in the history: who comes back finds them. */
const laterOfVisits = new Map<string, WorkPage>();

/** The works of the page and those that were loaded after them, with their progress and what can be done to them. */
export function useWorks(first: WorkPage, filter: WorkFilter) {
  const visit = useLocation().key;
  const [later, setLater] = useState<WorkPage | null>(() => laterOfVisits.get(visit) ?? null);
  const [status, setStatus] = useState<"idle" | "loading" | "failed">("idle");
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
  const [events, setEvents] = useState<ReadonlyMap<string, TaskEvent>>(new Map());
  const { revalidate } = useRevalidator();
  const works = mergeWorks(first.list, later?.list ?? noneLater, removed);
  const isBusy = works.some((work) => work.status === 1);
  const onEvent = (event: TaskEvent) => {
    if (event.kind === "role" || event.kind === "trial") return;
    setEvents((now) => new Map(now).set(event.taskId, event));
    if (event.status !== 1 || !works.some(({ taskId }) => taskId === event.taskId)) revalidate();
  };
  const isFresh = useRef(true);
  const onStale = () => {
    // The first time it is called when the stream opens, just after the page was read.
    if (!isFresh.current) revalidate();
    isFresh.current = false;
  };
  useTaskEvents(onEvent, { onStale, isBusy });

  const next = (later ?? first).next;
  const loadMore = async () => {
    setStatus("loading");
    try {
      const page = await callApi("workList", toRequest({ ...filter, cursor: next }));
      const all = { ...page, list: [...(later?.list ?? []), ...page.list] };
      laterOfVisits.set(visit, all);
      setLater(all);
      setStatus("idle");
    } catch {
      setStatus("failed");
    }
  };
  return {
    works,
    /** Progress of a running work, from 0 to 1. */
    progressOf: ({ taskId, progress }: Work) => Math.max(progress, events.get(taskId)?.progress ?? 0),
    next,
    status,
    loadMore,
    ...useWorkActions(revalidate, (taskId) => setRemoved((now) => new Set([...now, taskId]))),
  };
}

export type Works = ReturnType<typeof useWorks>;

function useWorkActions(revalidate: () => void, onRemoved: (taskId: string) => void) {
  const { track, stop } = usePlayer();
  const tell = (error: unknown) => {
    const refusal = refusalOf(error);
    notify({ kind: "error", text: sentenceFor(refusal) });
    if (refusal.code === "entitlement") askToBuyFor(entitlementReasonOf(refusal.data));
  };
  return {
    /** Cancels a running work or makes a failed one again. */
    change: ({ taskId }: Work, act: "cancel" | "retry") => changeTask(taskId, act).then(revalidate, tell),
    async remove(work: Work) {
      if (!(await askToConfirm(words.removing(titleOf(work), work.kind)))) return;
      try {
        await deleteWork(work);
      } catch (error) {
        return tell(error);
      }
      if (work.voiceUrl && track?.url === paths.media(work.voiceUrl)) stop();
      notify({ kind: "success", text: words.removed });
      onRemoved(work.taskId);
      revalidate();
    },
  };
}

const deleteWork = ({ kind, taskId }: Work): Promise<unknown> => {
  if (kind === "clone") return callApi("cloneDelete", { voiceId: taskId });
  return kind === "dub" ? callApi("dubDelete", { dubbId: taskId }) : callApi("videoDelete", { videoId: taskId });
};
