import type { Db } from "../db/database";

export interface JobContext {
  id: string;
  attempt: number;
  /** Aborted when the job is cancelled, its lease is lost or the worker stops: end soon, write nothing. */
  signal: AbortSignal;
}

/** The result of a successful run. A worker that has lost its lease writes nothing. */
export interface Outcome {
  /** In the transaction that ends the job. */
  write(trx: Db): Promise<void>;
  /** After that transaction. */
  written?(): Promise<void>;
  /**
   * Instead of `written`, when the transaction failed: removes side effects outside the database, but not what a row
   * names: the answer to a commit may have been lost. May run again after an error.
   */
  discard?(): Promise<void>;
  /** Fields for the log; never user content. */
  facts?: Record<string, string | number | null>;
}

export interface JobHandler<Payload = unknown> {
  /** May run more than once for one job, never twice at a time while its lease is kept. */
  run(payload: Payload, job: JobContext): Promise<Outcome | undefined>;
  /** Once, in the transaction that ends the job without success: last attempt failed, final error, cancelled, or worker died. */
  failed?(trx: Db, payload: Payload, error: unknown): Promise<void>;
  /** True for errors that another attempt would repeat. */
  isFinal?(error: unknown): boolean;
}
