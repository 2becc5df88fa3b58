import { findPostgres, startPostgres } from "../support/postgres";

/** Starts a PostgreSQL server for this run if TEST_ENGINES names postgres and TEST_DATABASE_URL names no server. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (!process.env.TEST_ENGINES?.includes("postgres") || process.env.TEST_DATABASE_URL) return undefined;
  const bin = findPostgres();
  if (!bin) throw new Error("TEST_ENGINES=postgres: no PostgreSQL under /usr/lib/postgresql");
  const { url, stop } = await startPostgres(bin);
  process.env.TEST_DATABASE_URL = url;
  return stop;
}
