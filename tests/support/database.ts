import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { type DatabaseHandle, type DatabasePlace, openDatabase } from "~server/upstream/db/database";

export type TestEngine = "embedded" | "postgres";

const run = promisify(execFile);
const serverUrl = process.env.TEST_DATABASE_URL;

const asked = process.env.TEST_ENGINES?.split(",") as TestEngine[] | undefined;

/**
 * Databases for tests: the embedded engine, and PostgreSQL if TEST_DATABASE_URL names a server. TEST_ENGINES selects
 * them, with PostgreSQL on a server of the run (tests/config/postgres-setup.ts).
 */
export const testEngines: TestEngine[] = asked ?? (serverUrl ? ["embedded", "postgres"] : ["embedded"]);

/**
 * The first of them, for suites about the rules of a domain. The database, queue and money suites use all of them, and
 * TEST_ALL_ENGINES=1 makes every suite do so.
 */
export const ruleEngines: TestEngine[] = process.env.TEST_ALL_ENGINES ? testEngines : testEngines.slice(0, 1);

export interface TestPlace {
  place: DatabasePlace;
  remove(): Promise<void>;
}

/** A new database without rows for one test. `isMigrated: false` gives PostgreSQL a database without tables. */
export async function createTestPlace(engine: TestEngine, { isMigrated = true } = {}): Promise<TestPlace> {
  return engine === "postgres" && serverUrl ? onServer(serverUrl, isMigrated) : inDirectory();
}

/** Opens a new database; closing it removes it. */
export async function openTestDatabase(engine: TestEngine): Promise<DatabaseHandle> {
  const { place, remove } = await createTestPlace(engine);
  const handle = await openDatabase(place);
  const close = async () => {
    await handle.close();
    await remove();
  };
  return { ...handle, close };
}

/** Migrates once per engine and set of migrations and then copies, because copying is much faster. */
async function inDirectory(): Promise<TestPlace> {
  const root = await mkdtemp(join(tmpdir(), "test-database-"));
  const directory = join(root, "db");
  // Uses the system's cp: copying a thousand small files in Node takes a second.
  await run("cp", ["-R", await template(), directory]);
  return { place: { directory }, remove: () => rm(root, { recursive: true, force: true }) };
}

const migrationsFolder = resolve("server/upstream/db/migrations");

async function template(): Promise<string> {
  const hash = createHash("sha256").update(await readFile("node_modules/@electric-sql/pglite/package.json"));
  const files = await readdir(migrationsFolder, { recursive: true });
  for (const name of files.filter((file) => file.endsWith(".ts")).sort())
    hash.update(await readFile(join(migrationsFolder, name)));
  const cache = resolve("node_modules/.cache/test-databases");
  const path = join(cache, hash.digest("hex").slice(0, 16));
  if (await stat(path).catch(() => null)) return path;
  await mkdir(cache, { recursive: true });
  const made = await mkdtemp(join(tmpdir(), "test-template-"));
  const { close } = await openDatabase({ directory: join(made, "db") });
  await close();
  // Renames within the cache, because a move between file systems is not atomic.
  const beside = `${path}.${randomUUID().slice(0, 8)}`;
  await run("cp", ["-R", join(made, "db"), beside]);
  await rename(beside, path).catch(() => rm(beside, { recursive: true, force: true })); // another run created it first
  await rm(made, { recursive: true, force: true });
  return path;
}

async function onServer(url: string, isMigrated: boolean): Promise<TestPlace> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  serverTemplate ??= createServerTemplate(url);
  await query(url, `create database ${name}${isMigrated ? ` template ${await serverTemplate}` : ""}`);
  return { place: { url: databaseUrl(url, name) }, remove: () => query(url, `drop database ${name} with (force)`) };
}

let serverTemplate: Promise<string> | undefined;

/** A migrated database that no other process uses: PostgreSQL copies only databases without connections. */
async function createServerTemplate(url: string): Promise<string> {
  const name = `template_${randomUUID().replaceAll("-", "")}`;
  await query(url, `create database ${name}`);
  const { close } = await openDatabase({ url: databaseUrl(url, name) });
  await close();
  return name;
}

async function query(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
