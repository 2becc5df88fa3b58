import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { type DatabaseHandle, type DatabasePlace, openDatabase } from "~server/upstream/db/connection";

export type TestEngine = "embedded" | "postgres";

const run = promisify(execFile);
const serverUrl = process.env.TEST_DATABASE_URL;

/** What to run database tests on: the embedded engine always, PostgreSQL where TEST_DATABASE_URL names a server. */
export const testEngines: TestEngine[] = serverUrl ? ["embedded", "postgres"] : ["embedded"];

export interface TestPlace {
  place: DatabasePlace;
  remove(): Promise<void>;
}

/** A fresh, empty database of the test's own. */
export async function createTestPlace(engine: TestEngine): Promise<TestPlace> {
  return engine === "postgres" && serverUrl ? onServer(serverUrl) : inDirectory();
}

/** The same, opened; closing it removes it. */
export async function openTestDatabase(engine: TestEngine): Promise<DatabaseHandle> {
  const { place, remove } = await createTestPlace(engine);
  const handle = await openDatabase(place);
  const close = async () => {
    await handle.close();
    await remove();
  };
  return { ...handle, close };
}

/** Setting up a database takes seconds, copying one does not: it is set up once and kept between runs. */
async function inDirectory(): Promise<TestPlace> {
  const root = await mkdtemp(join(tmpdir(), "test-database-"));
  const directory = join(root, "db");
  // A program of the system: a thousand small files take Node a second.
  await run("cp", ["-R", await template(), directory]);
  return { place: { directory }, remove: () => rm(root, { recursive: true, force: true }) };
}

const templatePath = resolve("node_modules/.cache/empty-database");

async function template(): Promise<string> {
  if (await stat(templatePath).catch(() => null)) return templatePath;
  const { PGlite } = await import("@electric-sql/pglite");
  const parent = resolve("node_modules/.cache");
  await mkdir(parent, { recursive: true });
  const made = await mkdtemp(join(parent, "making-database-"));
  const pglite = await PGlite.create(join(made, "db"), { postgresqlconf: ["shared_buffers=16MB"] });
  await pglite.close();
  await rename(join(made, "db"), templatePath).catch(() => {}); // another run was quicker
  await rm(made, { recursive: true, force: true });
  return templatePath;
}

async function onServer(url: string): Promise<TestPlace> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const query = async (statement: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await query(`create database ${name}`);
  const place = new URL(url);
  place.pathname = `/${name}`;
  return { place: { url: place.href }, remove: () => query(`drop database ${name} with (force)`) };
}
