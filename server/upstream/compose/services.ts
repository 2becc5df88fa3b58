import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { access, mkdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { type Logger, pino } from "pino";
import { createApi } from "../api/app";
import { type DatabaseHandle, openDatabase, placeOf } from "../db/database";
import { seed } from "../db/seed/seed";
import { logged, loggedDone } from "../jobs/runner";
import { createWorker, repeatUntil, type WorkerOptions } from "../jobs/worker";
import { collectParts, partName } from "../media/disk";
import { serveOperators } from "../operations/console";
import { createDemoSender, type SmsSender } from "../sms/sender";
import { createAliyunSender } from "../sms/senders/aliyun";
import { createTencentSender } from "../sms/senders/tencent";
import type { SpeechParts } from "../voices/ports";
import { createMeasures, type Measure } from "./metrics";
import { createParts, type UpstreamConfig } from "./parts";
import { createSpeech, type Speech } from "./speech";

export type { UpstreamConfig } from "./parts";

/** For tests: another engine, another pace, and a database that stays theirs. */
export interface Overrides {
  database?: DatabaseHandle;
  speech?: SpeechParts & Pick<Speech, "close"> & Partial<Pick<Speech, "measure">>;
  sender?: SmsSender;
  log?: Logger;
  worker?: Partial<Pick<WorkerOptions, "pollMs" | "sweepMs" | "leaseSeconds" | "heartbeatMs" | "backoffSeconds">>;
  uploadMaxBytes?: number;
  /** Speak the digital humans' previews; on unless said otherwise. */
  previews?: boolean;
}

export interface Services {
  /** Answers /api/v1. `x-forwarded-for` is believed: the host must have put the caller's address there. */
  fetch(request: Request): Response | Promise<Response>;
  /** Starts working the queue in this process; calling twice is harmless. */
  startWorker(): void;
  /** What works: true, or false where it does not. */
  ready(): Promise<Record<string, boolean>>;
  /** Figures for operators. */
  measure(): Promise<Measure[]>;
  /** Ends what would otherwise last: event streams. */
  beginShutdown(): void;
  /** Hands back running jobs, ends the engine's processes and lets go of the database. */
  close(): Promise<void>;
}

const sweepEveryMs = 60 * 60 * 1000;

/**
 * The composition root of the embedded upstream: builds every part and chooses every adapter. API and worker run from it
 * together or apart. Throws when the database cannot be opened.
 */
export async function createServices(config: UpstreamConfig, overrides: Overrides = {}): Promise<Services> {
  const log = overrides.log ?? pino({ level: config.logLevel, name: "upstream" });
  const directories = { media: join(config.dataDir, "media"), uploads: join(config.dataDir, "uploads") };
  const database = overrides.database ?? (await openDatabase(placeOf(config)));
  const measures = createMeasures(database.db);
  const onChange = (engine: string, state: string) =>
    log.warn({ engine, state }, "a speech engine is given up or asked again");
  const speech = overrides.speech ?? createSpeech(config.speech, { listenTo: measures.listenTo, onChange });
  const sender = overrides.sender ?? createSender(config);
  const temporaryPath = () => join(directories.uploads, partName(randomUUID()));
  const given = { speech, sender, mediaDirectory: directories.media, temporaryPath };
  const parts = await createParts(database.db, { ...given, config, log });
  await mkdir(directories.uploads, { recursive: true });
  await collectParts(directories.uploads);
  await seed(database.db);
  // Nobody else works an embedded queue: what was running when this process last ended need not wait for its lease.
  if (database.engine === "embedded") await parts.queue.expireLeases(database.db);

  const api = createApi({
    ...parts.api,
    appId: config.appId,
    engine: config.speech?.engines.some(({ name }) => name !== "embedded") ? "other" : "embedded",
    within: parts.queue.within,
    temporaryPath,
    uploadMaxBytes: overrides.uploadMaxBytes,
    reportError: (error, request) => log.error({ err: error, request }, "a call failed unexpectedly"),
  });

  // Another process cannot open an embedded database.
  const closeOperators =
    database.engine === "embedded" && !overrides.database
      ? await serveOperators({ ...parts, db: database.db, database, config, log })
      : async () => {};

  const stop = new AbortController();
  let working: Promise<void>[] | undefined;
  const startWorker = () => {
    const {
      queue,
      handlers,
      previews,
      money,
      api: { accounts },
    } = parts;
    const onError: WorkerOptions["onError"] = (error, job) =>
      log.warn({ err: error, ...(job && logged(job)) }, "work in the background failed");
    // What asks gateways every few seconds is not worth a line.
    const onDone: WorkerOptions["onDone"] = (job, done) =>
      log[done.facts ? "info" : "debug"](loggedDone(job, done), "a job is done");
    const options = { db: database.db, queue, signal: stop.signal, onError, onDone, ...overrides.worker };
    const lanes = [...new Set(Object.values(money.gateways).map(({ name }) => name))];
    // Apart from each other: trials do not wait for previews, payments for trials, or one gateway's for another's.
    working ??= [
      createWorker({ ...options, handlers, concurrency: availableParallelism() }),
      createWorker({ ...options, handlers: { [previews.kind]: previews.job }, concurrency: 1 }),
      createWorker({
        ...options,
        handlers: { ...money.handlers, ...accounts.handlers },
        lanes: { except: lanes },
        concurrency: 2,
      }),
      ...lanes.map((only) => createWorker({ ...options, handlers: money.handlers, lanes: { only }, concurrency: 2 })),
      money.billing.plan().catch(onError),
      repeatUntil(stop.signal, { everyMs: sweepEveryMs, act: parts.sweep, onError }),
      overrides.previews === false ? Promise.resolve() : previews.enqueue().catch(onError),
    ];
  };

  return {
    fetch: (request) => api.fetch(request),
    startWorker,
    ready: async () => ({
      database: await succeeds(sql`select 1`.execute(database.db)),
      storage: await succeeds(config.storage ? parts.store.size("ready") : access(directories.media, constants.W_OK)),
    }),
    measure: async () => [...(await measures.read()), ...(speech.measure?.() ?? [])],
    beginShutdown: () => parts.api.events.close(),
    async close() {
      stop.abort();
      parts.api.events.close();
      await Promise.all([closeOperators(), ...(working ?? [])]);
      await speech.close();
      if (!overrides.database) await database.close();
    },
  };
}

const succeeds = (attempt: Promise<unknown>): Promise<boolean> =>
  attempt.then(
    () => true,
    () => false,
  );

/** In production without a provider, which a worker needs none of, nobody gets a code. */
function createSender({ sms, mode }: UpstreamConfig): SmsSender | undefined {
  if (!sms) return mode === "demo" ? createDemoSender(mode) : undefined;
  return sms.provider === "aliyun" ? createAliyunSender(sms) : createTencentSender(sms);
}
