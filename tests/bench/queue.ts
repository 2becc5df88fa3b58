import { sql } from "kysely";
import type { Db } from "~server/upstream/db/database";
import { claim, renew } from "~server/upstream/jobs/claims";
import type { JobHandler } from "~server/upstream/jobs/handler";
import { createQueue } from "~server/upstream/jobs/queue";
import { createWorker } from "~server/upstream/jobs/worker";
import { openTestDatabase, testEngines } from "../support/database";
import type { Row } from "./row";

const jobs = 500;
const pickUps = 40;

/** Measures the queue next to plain statements on the same database: cost per job and start latency. */
export async function benchQueue(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const engine of testEngines) {
    const { db, close } = await openTestDatabase(engine);
    rows.push(...(await measure(db)).map((row) => ({ ...row, name: `${row.name} (${engine})` })));
    await close();
  }
  return rows;
}

async function measure(db: Db): Promise<Row[]> {
  const insertMs = await perItem(jobs, () =>
    sql`insert into rate (key, window_start, hits, expires_at) values (gen_random_uuid()::text, 0, 1, now())`.execute(
      db,
    ),
  );
  const enqueueMs = await perItem(jobs, () => queue.enqueue(db, { kind: "a", payload: {} }));
  const claimed = await claim(db, ["a"], 60);
  const renewMs = claimed ? await perItem(jobs, () => renew(db, claimed, 60)) : 0;
  const idleMs = await perItem(jobs, () => claim(db, ["nothing"], 60));
  const drainMs = await drain(db);
  const latencies = await pickUpLatencies(db);
  const plain = `one plain insert: ${insertMs.toFixed(2)} ms`;
  return [
    { name: "enqueue a job", value: enqueueMs, unit: "ms", reference: plain },
    { name: "claim, run and finish a job", value: drainMs, unit: "ms", reference: plain },
    { name: "poll an empty queue", value: idleMs, unit: "ms", reference: plain },
    { name: "renew a lease", value: renewMs, unit: "ms", reference: plain },
    { name: "pick-up after a wake-up, median", value: latencies.median, unit: "ms", reference: "< 50 ms" },
    { name: "pick-up after a wake-up, worst", value: latencies.worst, unit: "ms", reference: "< 50 ms" },
  ];
}

const queue = createQueue();

async function perItem(items: number, act: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  for (let i = 0; i < items; i++) await act();
  return (performance.now() - startedAt) / items;
}

async function drain(db: Db): Promise<number> {
  const { n } = await db
    .selectFrom("job")
    .select((eb) => eb.fn.countAll<string>().as("n"))
    .where("state", "=", "ready")
    .executeTakeFirstOrThrow();
  const stop = new AbortController();
  const startedAt = performance.now();
  let left = Number(n);
  const run: JobHandler["run"] = async () => {
    left--;
    if (left === 0) setTimeout(() => stop.abort(), 0);
    return undefined;
  };
  await createWorker({ db, queue, handlers: { a: { run } }, concurrency: 2, signal: stop.signal });
  return (performance.now() - startedAt) / Number(n);
}

async function pickUpLatencies(db: Db): Promise<{ median: number; worst: number }> {
  const stop = new AbortController();
  let begun = (_at: number) => {};
  const run: JobHandler["run"] = async () => {
    begun(performance.now());
    return undefined;
  };
  const worker = createWorker({
    db,
    queue,
    handlers: { b: { run } },
    concurrency: 2,
    signal: stop.signal,
    pollMs: 5000,
  });
  const latencies: number[] = [];
  for (let i = 0; i < pickUps; i++) {
    const start = new Promise<number>((resolve) => {
      begun = resolve;
    });
    await queue.enqueue(db, { kind: "b", payload: {} });
    const enqueuedAt = performance.now();
    queue.wake();
    latencies.push((await start) - enqueuedAt);
    // Lets the worker become idle again.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  stop.abort();
  await worker;
  latencies.sort((a, b) => a - b);
  return { median: latencies[Math.floor(pickUps / 2)] ?? 0, worst: latencies.at(-1) ?? 0 };
}
