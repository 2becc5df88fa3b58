import { findPostgres, startPostgres } from "../support/postgres";

/** TEST_ENGINES with postgres: starts a server of the run's own, unless TEST_DATABASE_URL names one. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (!process.env.TEST_ENGINES?.includes("postgres") || process.env.TEST_DATABASE_URL) return undefined;
  const bin = findPostgres();
  if (!bin) throw new Error("TEST_ENGINES=postgres: there is no PostgreSQL under /usr/lib/postgresql");
  const { url, stop } = await startPostgres(bin);
  process.env.TEST_DATABASE_URL = url;
  return stop;
}
