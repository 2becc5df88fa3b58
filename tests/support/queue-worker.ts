/** A worker process on `DATABASE_URL` whose jobs wait `JOB_MS` like a remote engine. Starts on a message. */
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "~server/upstream/db/database";
import { createQueue } from "~server/upstream/jobs/queue";
import { createWorker } from "~server/upstream/jobs/worker";

const { db } = await openDatabase({ url: String(process.env.DATABASE_URL) });
const stop = new AbortController();
process.once("message", () => {
  const run = async () => {
    await sleep(Number(process.env.JOB_MS));
    return undefined;
  };
  void createWorker({ db, queue: createQueue(), handlers: { wait: { run } }, concurrency: 2, signal: stop.signal });
});
process.send?.("ready");
