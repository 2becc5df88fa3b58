import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { sql } from "kysely";
import { onTestFinished } from "vitest";
import { findWorker } from "./programs";
import type { TestUpstream } from "./upstream";

/** Forks a running worker process on a test's PostgreSQL and bucket, which the test can kill. */
export async function forkWorker(upstream: TestUpstream): Promise<ChildProcess> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(upstream.database());
  const url = new URL(String(process.env.TEST_DATABASE_URL));
  url.pathname = `/${rows[0]?.name}`;
  const BUCKET = JSON.stringify(upstream.bucket?.numbered);
  const { path, nodeArguments } = findWorker();
  const env = { ...process.env, DATABASE_URL: url.href, DATA_DIR: upstream.dataDir, BUCKET };
  const worker = fork(path, { execArgv: nodeArguments, env });
  onTestFinished(() => void worker.kill("SIGKILL"));
  await once(worker, "message");
  return worker;
}
