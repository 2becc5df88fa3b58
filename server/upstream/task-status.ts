import type { CallData } from "~server/contract/calls/table";
import type { ErrorCode } from "~server/contract/codes";
import type { Db } from "./db/database";
import { AppError, isStorageFull } from "./errors";
import type { Owner } from "./owner";

/** 1 waiting or running, 2 done, 3 failed or cancelled. */
export type TaskStatus = 1 | 2 | 3;

export type TaskProgress = CallData<"taskEvents">;

/** Sends a task event to the owner's pages when the transaction commits. */
export type PublishTask = (trx: Db, owner: Owner, progress: TaskProgress) => Promise<void>;

/** Tasks of one kind that their owner may cancel and retry. */
export interface OwnedTasks {
  /** Stops a waiting or running task and releases its reservation; false when the task is not of this kind. */
  cancel(owner: Owner, taskId: string): Promise<boolean>;
  /** Runs a failed task again with a new reservation; false when the task is not of this kind. Throws entitlement. */
  retry(owner: Owner, taskId: string): Promise<boolean>;
}

/** The code that a failed task keeps. */
export const failureCodeOf = (error: unknown): ErrorCode =>
  isStorageFull(error) ? "storage-full" : error instanceof AppError ? error.code : "synthesis-failed";
