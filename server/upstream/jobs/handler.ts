import type { Db } from "../db/database";

export interface JobContext {
  id: string;
  attempt: number;
  /** Aborted when the job is cancelled, its lease is lost or the worker stops: end soon, write nothing. */
  signal: AbortSignal;
}

/** How a job ended well. A worker that lost its lease meanwhile writes nothing. */
export interface Outcome {
  /** In the transaction that ends the job. */
  write(trx: Db): Promise<void>;
  /** After that transaction. */
  written?(): Promise<void>;
  /** Instead, when it could not be written: takes back what lies outside the database. */
  discard?(): Promise<void>;
  /** What there is to tell of it in the log; never what people wrote. */
  facts?: Record<string, string | number | null>;
}

export interface JobHandler<Payload = unknown> {
  /** May run more than once for one job, never twice at a time while its lease is kept. */
  run(payload: Payload, job: JobContext): Promise<Outcome | undefined>;
  /** Once, in the transaction that gives the job up: last attempt failed, error is final, cancelled, or its workers died. */
  failed?(trx: Db, payload: Payload, error: unknown): Promise<void>;
  /** True for errors that another attempt would meet again. */
  isFinal?(error: unknown): boolean;
}
