import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Kysely, type Migration, Migrator, PostgresDialect, type RawBuilder } from "kysely";
import pg from "pg";
import { DatabaseUnavailable } from "../errors";
import { type EmbeddedPlace, openEmbedded } from "./embedded";
import { adoptEarlierDatabase, migrations } from "./migrations/migrations";
import { createResilientPool, reasonOf } from "./pool";
import type { AccountTables } from "./tables/accounts";
import type { BillingTables } from "./tables/billing";
import type { DeveloperTables } from "./tables/developers";
import type { DubTables } from "./tables/dubs";
import type { GenerationTables } from "./tables/generations";
import type { PaymentTables } from "./tables/payments";
import type { TrustTables } from "./tables/trust";
import type { VoiceTables } from "./tables/voices";

export interface DatabaseHandle {
  db: Db;
  engine: "embedded" | "postgres";
  close(): Promise<void>;
}

/** A PostgreSQL server, or a directory that only this process uses. */
export type DatabasePlace = { url: string } | EmbeddedPlace;

export const placeOf = (settings: { databaseUrl: string | undefined; dataDir: string }): DatabasePlace =>
  settings.databaseUrl
    ? { url: settings.databaseUrl }
    : { directory: join(settings.dataDir, "db"), hasOwnThread: true };

const connectMs = 10_000;

const retryMs = 1_000;

interface Patience {
  /** How long to wait for a server that is starting or away; not at all by default. */
  waitMs?: number;
  onWait?(error: unknown): void;
}

/**
 * Opens the database and brings its schema up to date. One driver and one SQL for both places.
 * Throws when the directory is open in another process, or names the setting when the server cannot be used.
 */
export async function openDatabase(place: DatabasePlace, patience: Patience = {}): Promise<DatabaseHandle> {
  const { waitMs = 0, onWait = () => {} } = patience;
  const handle = await connectDatabase(place);
  for (let waitedMs = 0; ; waitedMs += retryMs) {
    try {
      await migrate(handle.db);
      return handle;
    } catch (error) {
      if (error instanceof DatabaseUnavailable && waitedMs < waitMs) {
        onWait(error);
        await sleep(retryMs);
        continue;
      }
      await handle.close();
      throw "url" in place ? new Error(`DATABASE_URL cannot be used: ${reasonOf(error)}`, { cause: error }) : error;
    }
  }
}

/** Opens the database without migrating it. */
export async function connectDatabase(place: DatabasePlace): Promise<DatabaseHandle> {
  const { pool, engine, close } = "url" in place ? openServer(place.url) : await openEmbedded(place);
  const db: Db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: createResilientPool(pool) }) });
  const closeAll = async () => {
    await db.destroy();
    await close();
  };
  return { db, engine, close: closeAll };
}

function openServer(url: string) {
  // Keep-alive finds connections to a host that vanished without a reset, as in a failover.
  const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: connectMs };
  const pool = new pg.Pool({ connectionString: url, connectionTimeoutMillis: connectMs, max: 10, ...keepAlive });
  return { pool, engine: "postgres" as const, close: async () => {} };
}

export interface Tables
  extends AccountTables,
    BillingTables,
    PaymentTables,
    VoiceTables,
    TrustTables,
    GenerationTables,
    DubTables,
    DeveloperTables {}

/** The database, or a transaction on it. Inside a transaction use only that: the embedded engine has one connection. */
export type Db = Kysely<Tables>;

const kyselyMigrations = Object.fromEntries(
  Object.entries(migrations).map(([name, statements]) => [name, toMigration(statements)]),
);

function toMigration(statements: RawBuilder<unknown>[]): Migration {
  return {
    async up(db) {
      for (const statement of statements) await statement.execute(db);
    },
  };
}

const createMigrator = (db: Db) =>
  new Migrator({ db, provider: { getMigrations: async () => kyselyMigrations }, allowUnorderedMigrations: true });

/** Brings the schema up to date and returns the names of the migrations that ran. Concurrent calls wait for an advisory lock. */
export async function migrate(db: Db): Promise<string[]> {
  await adoptEarlierDatabase(db);
  const { error, results = [] } = await createMigrator(db).migrateToLatest();
  if (error) throw error;
  return results.map(({ migrationName }) => migrationName);
}

/** The names of the migrations that `migrate` would run. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const known = await createMigrator(db).getMigrations();
  return known.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name);
}
