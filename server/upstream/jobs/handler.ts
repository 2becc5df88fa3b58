import type { Db } from "../db/database";

export interface JobContext {
  id: string;
  attempt: number;
  /** Aborted when the job is cancelled, its lease is lost or the worker stops: end soon, write nothing. */
  signal: AbortSignal;
}

/** What is written when the job ends well, in the transaction that ends it: a worker that lost its lease writes nothing. */
export type Completion = (trx: Db) => Promise<void>;

export interface JobHandler<Payload = unknown> {
  /** May run more than once for one job, never twice at a time while its lease is kept. */
  run(payload: Payload, job: JobContext): Promise<Completion | undefined>;
  /** Once, in the transaction that gives the job up: last attempt failed, error is final, cancelled, or its workers died. */
  failed?(trx: Db, payload: Payload, error: unknown): Promise<void>;
  /** True for errors that another attempt would meet again. */
  isFinal?(error: unknown): boolean;
}
