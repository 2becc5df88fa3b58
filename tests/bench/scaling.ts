import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type DatabaseHandle, openDatabase } from "~server/upstream/db/database";
import { createQueue } from "~server/upstream/jobs/queue";
import { findPostgres, startPostgres } from "../support/postgres";
import type { Row } from "./row";

const script = fileURLToPath(new URL("../support/queue-worker.ts", import.meta.url));
const jobs = 160;
/** Approximate time of an engine on another machine for a clause. */
const jobMs = 100;
const concurrency = 2;

/** Measures 1, 2 and 4 worker processes on one queue with a remote engine: the queue's cost per added worker. */
export async function benchScaling(): Promise<Row[]> {
  const bin = findPostgres();
  if (!bin) {
    console.log("Skipped: no PostgreSQL under /usr/lib/postgresql.");
    return [];
  }
  const postgres = await startPostgres(bin);
  const handle = await openDatabase({ url: postgres.url });
  try {
    const rows: Row[] = [];
    let alone = 0;
    for (const count of [1, 2, 4]) {
      const rate = await rateOf(count, { url: postgres.url, handle });
      alone ||= rate;
      const most = `${((count * concurrency * 1000) / jobMs).toFixed(0)} jobs/s if the queue were free`;
      rows.push({ name: `${count} workers`, value: rate, unit: "jobs/s", beside: most });
      if (count > 1)
        rows.push({
          name: `${count} workers ÷ 1`,
          value: rate / alone,
          unit: "",
          beside: `≥ ${(count * 0.85).toFixed(1)}`,
        });
    }
    return rows;
  } finally {
    await handle.close();
    await postgres.stop();
  }
}

async function rateOf(
  count: number,
  { url, handle: { db } }: { url: string; handle: DatabaseHandle },
): Promise<number> {
  const queue = createQueue();
  const env = { ...process.env, DATABASE_URL: url, JOB_MS: String(jobMs) };
  const workers: ChildProcess[] = [];
  for (let n = 0; n < count; n++) workers.push(fork(script, { execArgv: ["--import", "tsx"], env }));
  await Promise.all(workers.map((worker) => once(worker, "message")));
  for (let n = 0; n < jobs; n++) await queue.enqueue(db, { kind: "wait", payload: {} });
  const startedAt = performance.now();
  for (const worker of workers) worker.send("go");
  const unfinished = db
    .selectFrom("job")
    .select("id")
    .where("kind", "=", "wait")
    .where("state", "in", ["ready", "active"]);
  while (await unfinished.limit(1).executeTakeFirst()) await sleep(20);
  const seconds = (performance.now() - startedAt) / 1000;
  for (const worker of workers) worker.kill("SIGKILL");
  return jobs / seconds;
}
