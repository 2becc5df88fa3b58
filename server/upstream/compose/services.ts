import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { access, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { type Logger, pino } from "pino";
import { createPublicVersion, type PublicVersion } from "~server/public-reads";
import type { EmbeddedUpstream } from "../../embedded-upstream";
import { createAccountKeys, requireSecretOfAccounts } from "../accounts/credentials";
import { createApi } from "../api/app";
import { type DatabaseHandle, openDatabase, placeOf } from "../db/database";
import { seed } from "../db/seed/seed";
import type { FilmMaker } from "../film/film";
import type { WorkerOptions } from "../jobs/worker";
import { collectParts, hasRoom, partName } from "../media/disk";
import { createCommandContext, serveOperators } from "../operations/console";
import { type ConsoleDoor, createConsoleDoor } from "../operations/console-door";
import { ConsoleLogins } from "../operations/console-logins";
import { createOperatorChecks } from "../operations/operator-checks";
import type { SmsSender } from "../sms/sender";
import type { SpeechParts } from "../voices/ports";
import { apiPartsOf } from "./api-parts";
import { startBackgroundWork } from "./background-work";
import { EngineReports } from "./engine-reports";
import { createMetrics } from "./metrics";
import { createParts, type UpstreamConfig, type UpstreamParts } from "./parts";
import { createSender } from "./sms";
import { createSpeech, type Speech } from "./speech";

export type { UpstreamConfig } from "./parts";

/** For tests. `database` stays open after `close`. */
export interface Overrides {
  database?: DatabaseHandle;
  speech?: SpeechParts & Pick<Speech, "close"> & Partial<Pick<Speech, "measure" | "speakers">>;
  sender?: SmsSender;
  films?: FilmMaker;
  log?: Logger;
  worker?: Partial<Pick<WorkerOptions, "pollMs" | "sweepMs" | "leaseSeconds" | "heartbeatMs" | "backoffSeconds">>;
  uploadMaxBytes?: number;
  /** Whether to speak the seeded roles' previews; true by default. */
  previews?: boolean;
}

/** `fetch` trusts `x-forwarded-for`: the host must set it to the caller's address. `startWorker` is idempotent. */
export type Services = Required<EmbeddedUpstream>;

/** The form of the web's lines, with which these share a stream. */
const logForm = { base: { name: "upstream" }, timestamp: pino.stdTimeFunctions.isoTime };

/** A database server may start with this process, or recover after a crash. */
const databaseWaitMs = 60_000;
/**
 * The embedded upstream: its API and its worker, which run in one process or in two. Throws when the database cannot be
 * opened, or `dataKey` is not that of its accounts.
 */
export async function createServices(config: UpstreamConfig, overrides: Overrides = {}): Promise<Services> {
  const log = overrides.log ?? pino({ ...logForm, level: config.logLevel });
  const directories = { media: join(config.dataDir, "media"), uploads: join(config.dataDir, "uploads") };
  const onWait = (error: unknown) => log.warn({ err: error }, "waiting for the database");
  const database = overrides.database ?? (await openDatabase(placeOf(config), { waitMs: databaseWaitMs, onWait }));
  await requireSecretOfAccounts(database.db, createAccountKeys(config.dataKey));
  const metrics = createMetrics(database.db);
  const speech = overrides.speech ?? createSpeech(config.speech, speechHooks(metrics, log));
  const sender = overrides.sender ?? createSender(config);
  const temporaryPath = () => join(directories.uploads, partName(randomUUID()));
  const { films, uploadMaxBytes } = overrides;
  const given = { speech, sender, films, mediaDirectory: directories.media, temporaryPath, config, log };
  const parts = await createParts(database.db, given);
  await mkdir(directories.uploads, { recursive: true });
  await collectParts(directories.uploads);
  await seed(database.db);
  // Only this process runs an embedded queue: jobs need not wait for the end of their leases.
  if (database.engine === "embedded") await parts.queue.expireLeases(database.db);

  const { queue, money, generations, store } = parts;
  const publicVersion = createPublicVersion();
  const reports = new EngineReports(database.db, config.role ?? "all", speech);
  const console = createConsole(parts, database.db, { config, publicVersion });
  const own = { temporaryPath, publicVersion, uploadMaxBytes, console };
  const api = createApi(apiPartsOf(parts, { speech, config, log, ...own }));

  const served = { queue, money, store, db: database.db, database, config, log, publicVersion };
  const createChecks: Parameters<typeof serveOperators>[0]["createChecks"] = (connect) =>
    createOperatorChecks(process.env, connect);
  // Another process cannot open an embedded database.
  const servesOperators = database.engine === "embedded" && !overrides.database;
  const closeOperators = servesOperators ? await serveOperators({ ...served, createChecks }) : async () => {};
  const stop = new AbortController();
  const { previews = true, worker } = overrides;
  const background = {
    db: database.db,
    config,
    log,
    signal: stop.signal,
    speech,
    reports,
    publicVersion,
    previews,
    worker,
  };
  let working: Promise<void>[] | undefined;

  return {
    fetch: (request) => api.fetch(request),
    publicVersion,
    startWorker() {
      working ??= startBackgroundWork(parts, background);
    },
    ready: async () => ({
      database: await succeeds(sql`select 1`.execute(database.db)),
      storage: await succeeds(config.storage ? parts.store.size("ready") : access(directories.media, constants.W_OK)),
      room: await hasRoom(config.dataDir),
    }),
    measure: async () => [...(await metrics.read()), ...(speech.measure?.() ?? [])],
    beginShutdown: () => generations.events.close(),
    async close() {
      stop.abort();
      generations.events.close();
      await Promise.all([closeOperators(), ...(working ?? [])]);
      await succeeds(reports.withdraw());
      await speech.close();
      if (!overrides.database) await database.close();
    },
  };
}

/** The operators' console of this process. */
function createConsole(
  { queue, money, store, hitRate }: UpstreamParts,
  db: DatabaseHandle["db"],
  { config, publicVersion }: { config: UpstreamConfig; publicVersion: PublicVersion },
): ConsoleDoor {
  const keys = createAccountKeys(config.dataKey);
  const { dataKey, siteName = "" } = config;
  const logins = new ConsoleLogins({ db, keys, dataKey, siteName, hitRate, now: () => new Date() });
  return createConsoleDoor({
    logins,
    createContext: (actor) => createCommandContext({ db, queue, money, store, keys }, actor),
    onChange: publicVersion.advance,
  });
}

const speechHooks = ({ withMetrics }: Pick<ReturnType<typeof createMetrics>, "withMetrics">, log: Logger) => ({
  withMetrics,
  onChange: (engine: string, state: string) => log.warn({ engine, state }, "a speech engine changed its state"),
});

const succeeds = (attempt: Promise<unknown>): Promise<boolean> =>
  attempt.then(
    () => true,
    () => false,
  );
