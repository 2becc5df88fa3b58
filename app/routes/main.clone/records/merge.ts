import type { TaskEvent } from "~/features/tasks/feed";
import type { CloneRecord } from "~server/bff/generations.server";
import type { ErrorCode } from "~server/contract/codes";
import { errorCodes } from "~server/contract/codes";

/** What the browser has done and heard since the list was read. */
export interface Since {
  /** Made here, not in the list yet. */
  made: readonly CloneRecord[];
  /** Deleted here. */
  gone: ReadonlySet<string>;
  /** The last event of each task. */
  moves: ReadonlyMap<string, TaskEvent>;
}

/** The list as it stands now. A finished one keeps running at its end until its files are read. */
export function mergeRecords(list: readonly CloneRecord[], { made, gone, moves }: Since): CloneRecord[] {
  const known = new Set(list.map(({ taskId }) => taskId));
  return [...made.filter(({ taskId }) => !known.has(taskId)), ...list]
    .filter(({ taskId }) => !gone.has(taskId))
    .map((record) => moved(record, moves.get(record.taskId)));
}

function moved(record: CloneRecord, event: TaskEvent | undefined): CloneRecord {
  if (!event || (record.status !== 1 && record.status === event.status)) return record;
  const { progress, segDone, segTotal, queuePos } = event;
  if (event.status === 2) return { ...record, status: 1, progress: 1, segDone, segTotal, queuePos: 0, refusal: null };
  const refusal = event.status === 3 ? { code: errorCodeOf(event.msg) } : null;
  return { ...record, status: event.status, progress, segDone, segTotal, queuePos, refusal };
}

const errorCodeOf = (msg: string): ErrorCode => errorCodes.find((code) => code === msg) ?? "synthesis-failed";
