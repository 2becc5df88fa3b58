import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { access, mkdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { type Logger, pino } from "pino";
import type { Config } from "../config";
import { createAccounts } from "./accounts/accounts";
import { createBelongings } from "./accounts/belongings";
import { createExport } from "./accounts/export";
import { createAccountKeys } from "./accounts/keys";
import { createRetention } from "./accounts/retention";
import { zip } from "./accounts/zip";
import { createApi } from "./api/app";
import type { Billing } from "./billing/billing";
import { type DatabaseHandle, openDatabase, placeOf } from "./db/connection";
import type { Db } from "./db/database";
import { createOnce } from "./db/once";
import { createRateLimit } from "./db/rate-limit";
import { personalRole } from "./db/seed/people";
import { seed } from "./db/seed/seed";
import { createDubExport } from "./dubs/export";
import { logged } from "./jobs/logged";
import { createQueue } from "./jobs/queue";
import { repeatUntil } from "./jobs/repeat";
import { createWorker, type WorkerOptions } from "./jobs/worker";
import { createMeasures, type Measure } from "./measures";
import { createBlobs } from "./media/blobs";
import { createDiskStore } from "./media/disk";
import { createMediaFiles } from "./media/files";
import { encodeImage } from "./media/image";
import { readLabels } from "./media/label/label";
import { collectParts, partName } from "./media/parts";
import { createS3Store } from "./media/s3";
import { linkFile, openServed, serveFile } from "./media/serve";
import { createMoney } from "./money";
import type { SmsSender } from "./sms/sender";
import { createAliyunSender } from "./sms/senders/aliyun";
import { createDemoSender } from "./sms/senders/demo";
import { createTencentSender } from "./sms/senders/tencent";
import { createSpeech, type Speech } from "./speech";
import { findPolyphones } from "./speech/chinese/polyphones";
import { createPreviews } from "./square/previews";
import { createSquare } from "./square/roles";
import { createStudio } from "./studio";
import { createTaskEvents } from "./tasks/events";
import { sweepAllowances } from "./trials/allowance";
import { createTrialJob } from "./trials/trial-job";
import { createTrials, type Trials, trialKind } from "./trials/trials";
import { createBacklog } from "./verify/backlog";
import { createPrints } from "./verify/prints";
import { createVerify } from "./verify/verify";
import { createPortraits } from "./voices/portraits";
import type { Owner, SpeechParts } from "./voices/ports";
import { createProfiles } from "./voices/profiles";
import { createRecordings, type Recordings } from "./voices/recordings";
import { createRenditions } from "./voices/renditions";
import { createUsableRoles } from "./voices/roles/usable";
import { createSegmentCache } from "./voices/segments";
import { createSpeaker } from "./voices/speaker";
import { createTurns } from "./voices/turns";

export type UpstreamConfig = Pick<
  Config,
  "dataDir" | "databaseUrl" | "dataKey" | "sms" | "appId" | "logLevel" | "mode" | "siteUrl"
> &
  Partial<Pick<Config, "storage" | "visitorDataDays" | "speech" | "payments">>;

/** For tests: another engine, another pace, and a database that stays theirs. */
export interface Overrides {
  database?: DatabaseHandle;
  speech?: SpeechParts & Pick<Speech, "close"> & Partial<Pick<Speech, "measure">>;
  sender?: SmsSender;
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

/** Who answers for generated content in every file's label. */
const producer = "shengxiang";
const sweepEveryMs = 60 * 60 * 1000;

/**
 * The composition root of the embedded upstream: builds every part and chooses every adapter. API and worker run from it
 * together or apart. Throws when the database cannot be opened.
 */
export async function createServices(config: UpstreamConfig, overrides: Overrides = {}): Promise<Services> {
  const log = pino({ level: config.logLevel, name: "upstream" });
  const directories = { media: join(config.dataDir, "media"), uploads: join(config.dataDir, "uploads") };
  const database = overrides.database ?? (await openDatabase(placeOf(config)));
  const measures = createMeasures(database.db);
  const onChange = (engine: string, state: string) =>
    log.warn({ engine, state }, "a speech engine is given up or asked again");
  const speech = overrides.speech ?? createSpeech(config.speech, { listenTo: measures.listenTo, onChange });
  const sender = overrides.sender ?? createSender(config);
  const parts = await createParts(database.db, { speech, sender, mediaDirectory: directories.media, config, log });
  await mkdir(directories.uploads, { recursive: true });
  await collectParts(directories.uploads);
  await seed(database.db);
  // Nobody else works an embedded queue: what was running when this process last ended need not wait for its lease.
  if (database.engine === "embedded") await parts.queue.expireLeases(database.db);

  const api = createApi({
    ...parts.api,
    appId: config.appId,
    temporaryPath: () => join(directories.uploads, partName(randomUUID())),
    uploadMaxBytes: overrides.uploadMaxBytes,
    reportError: (error, request) => log.error({ err: error, request }, "a call failed unexpectedly"),
  });

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
      log.warn({ err: error, ...(job && { job: logged(job) }) }, "work in the background failed");
    const options = { db: database.db, queue, signal: stop.signal, onError, ...overrides.worker };
    // Apart from each other, so that nobody's trial waits behind previews, and nobody's payment behind trials.
    working ??= [
      createWorker({ ...options, handlers, concurrency: availableParallelism() }),
      createWorker({ ...options, handlers: { [previews.kind]: previews.job }, concurrency: 1 }),
      createWorker({ ...options, handlers: { ...money.handlers, ...accounts.handlers }, concurrency: 2 }),
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
      await Promise.all(working ?? []);
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

interface Given {
  speech: SpeechParts;
  sender: SmsSender | undefined;
  mediaDirectory: string;
  config: UpstreamConfig;
  log: Logger;
}

/** In production without a provider, which a worker needs none of, nobody gets a code. */
function createSender({ sms, mode }: UpstreamConfig): SmsSender | undefined {
  if (!sms) return mode === "demo" ? createDemoSender(mode) : undefined;
  return sms.provider === "aliyun" ? createAliyunSender(sms) : createTencentSender(sms);
}

interface Swept {
  db: Db;
  once: ReturnType<typeof createOnce>;
  rate: ReturnType<typeof createRateLimit>;
  queue: ReturnType<typeof createQueue>;
  segments: ReturnType<typeof createSegmentCache>;
  accounts: ReturnType<typeof createAccounts>;
  studio: ReturnType<typeof createStudio>;
  files: ReturnType<typeof createMediaFiles>;
  renditions: ReturnType<typeof createRenditions>;
  prints: ReturnType<typeof createPrints>;
  speech: SpeechParts;
  config: UpstreamConfig;
}

/** Everything that outlives its use, one after the other; bytes go behind the rows that named them. */
const createSweep = ({ db, once, rate, queue, segments, accounts, studio, files, ...parts }: Swept) => {
  const { renditions, prints, speech, config } = parts;
  return inTurn([
    once.sweep,
    rate.sweep,
    () => queue.sweep(db),
    segments.sweep,
    () => sweepAllowances(db),
    accounts.sweep,
    studio.sweep,
    createRetention({ db, days: config.visitorDataDays ?? visitorDataDays, renditions, files, segments }),
    () => files.removeExpired(),
    createBacklog({ db, files, prints, speech }),
  ]);
};

const inTurn = (acts: Array<() => Promise<unknown>>) => async () => {
  for (const act of acts) await act();
};

/** Where nobody set another. */
const visitorDataDays = 7;
/** Files of up to 50 MB in memory. */
const verifiedAtOnce = 2;

/** What an export tells of an account beside its files. */
const recordsOf = (billing: Billing, { recordings, trials }: { recordings: Recordings; trials: Trials }) => ({
  membership: (id: string) => billing.membership(id),
  orders: (id: string) => billing.orders(id, everything),
  ledger: (id: string) => billing.ledger(id, everything),
  recordings: (id: string) => recordings.listOf(`account:${id}`),
  trials: (id: string) => trials.listOf(`account:${id}`),
});

/** What people may take along: all but the files to listen to, which lack the audible mark. */
async function keepable(owner: Owner, { files, renditions }: Pick<Swept, "files" | "renditions">) {
  const unmarked = await renditions.playIdsOf(owner);
  return (await files.listOf(owner)).filter(({ id }) => !unmarked.has(id));
}

const warning = (log: Logger, message: string) => (error: unknown) => log.warn({ err: error }, message);

/** One page of all there is. */
const everything = { page: 1, pageSize: 100_000 };

async function createParts(db: Db, { speech, sender, mediaDirectory, config, log }: Given) {
  const store = config.storage ? createS3Store(config.storage) : await createDiskStore(mediaDirectory);
  const files = createMediaFiles({ db, store, producer });
  const once = createOnce(db);
  const rate = createRateLimit(db);
  const queue = createQueue();
  const segments = createSegmentCache({ db, blobs: createBlobs(store) });
  const profiles = createProfiles({ db, files, segments, speech });
  const prints = createPrints(db);
  const renditions = createRenditions({ db, files, speech, prints });
  const speak = createSpeaker({ speech, segments });
  const recordings = createRecordings({ db, once, files, segments, speech });
  const money = await createMoney({ db, queue, once }, { config, log });
  const tierOf = async (accountId: string) => (await money.billing.membership(accountId)).tier;
  const events = createTaskEvents({ db, onError: warning(log, "events could not be looked for") });
  const { tell } = events;
  const roles = createUsableRoles(db);
  const trials = createTrials({ db, once, queue, recordings, prepareText: speech.prepareText, tierOf, tell, roles });
  const speaking = { db, queue, speech, profiles, speak, renditions };
  const { billing } = money;
  const making = {
    once,
    files,
    recordings,
    billing,
    events,
    usable: roles,
    segments,
    allow: rate.allow,
    beginning: personalRole,
  };
  const studio = createStudio({ ...speaking, ...making });
  const belongings = createBelongings({
    keepers: [...studio.keepers, trials, recordings, renditions, billing.closing],
    answers: once,
    files,
    removeStale: segments.sweep,
  });
  const keys = createAccountKeys(config.dataKey);
  const accounts = createAccounts({ db, queue, keys, sender, belongings, allow: rate.allow });
  const exportAccount = createExport({
    db,
    keys,
    openFile: (file) => openServed(store, file),
    filesOf: (owner) => keepable(owner, { files, renditions }),
    records: { ...recordsOf(billing, { recordings, trials }), ...studio.records },
  });
  return {
    store,
    queue,
    money,
    previews: createPreviews(speaking),
    handlers: { [trialKind]: createTrialJob({ ...speaking, tell, roles }), ...studio.handlers },
    api: {
      ...studio.api,
      findPolyphones,
      exportDub: createDubExport({ db, files, findFile: files.find, openFile: (file) => openServed(store, file), zip }),
      square: createSquare(db),
      recordings,
      portraits: createPortraits({ once, files, encodeImage }),
      trials,
      accounts,
      exportAccount,
      billing,
      cashier: money.cashier,
      renditions,
      findFile: files.find,
      serveFile: serveFile.bind(null, store),
      linkFile: linkFile.bind(null, store),
      verify: createVerify({ db, prints, readLabels, speech, inTurn: createTurns(verifiedAtOnce) }).verify,
      allow: rate.allow,
    },
    sweep: createSweep({
      db,
      once,
      rate,
      queue,
      segments,
      accounts,
      studio,
      files,
      renditions,
      speech,
      prints,
      config,
    }),
  };
}
