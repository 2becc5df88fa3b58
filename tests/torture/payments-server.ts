/** One server of `payments.ts`: the billing calls over HTTP with a worker, on the database of `DATABASE_URL`. */
import { setTimeout as sleep } from "node:timers/promises";
import { serve } from "@hono/node-server";
import { openDatabase } from "~server/upstream/db/database";
import type { JobHandler } from "~server/upstream/jobs/handler";
import { createQueue } from "~server/upstream/jobs/queue";
import { createWorker } from "~server/upstream/jobs/worker";
import { createTestBilling } from "../support/billing";

const handle = await openDatabase({ url: String(process.env.DATABASE_URL) });
const { db } = handle;
const setup = await createTestBilling(handle);
const { characters } = setup.billing;
const queue = createQueue();

/** A fake generation: reserves characters, waits, settles or releases them. */
const task: JobHandler = {
  async run(payload) {
    const { taskId, fails } = payload as { taskId: string; fails: boolean };
    await sleep(Math.random() * 300);
    if (fails) throw new Error("a task that fails");
    return {
      async write(trx) {
        await characters.settle(trx, taskId);
      },
    };
  },
  async failed(trx, payload) {
    await characters.release(trx, (payload as { taskId: string }).taskId);
  },
  isFinal: () => true,
};

setup.app.post("/torture/task", async (c) => {
  const { accountId, taskId, amount, fails } = await c.req.json();
  await db.transaction().execute(async (trx) => {
    await characters.reserveCharacters(trx, { accountId, characters: amount, taskId });
    await queue.enqueue(trx, { kind: "torture-task", payload: { taskId, fails } });
  });
  return c.json({ code: 0 });
});

const worker = { db, queue, signal: new AbortController().signal, pollMs: 50, sweepMs: 1000, leaseSeconds: 5 };
createWorker({ ...worker, handlers: setup.handlers, concurrency: 3 });
createWorker({ ...worker, handlers: { "torture-task": task }, concurrency: 2 });
serve({ fetch: setup.app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => process.send?.({ port }));
process.once("disconnect", () => process.exit(0));
