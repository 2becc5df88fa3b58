import { executionAsyncId } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { openTestDatabase, testEngines } from "../../../tests/support/database";
import type { DatabaseHandle, Db } from "../db/database";
import { claim, end, renew } from "./claims";
import type { JobHandler } from "./handler";
import { createQueue } from "./queue";
import { loggedDone } from "./runner";
import { createWorker, sweepDead, type WorkerOptions } from "./worker";

describe.each(testEngines)("a job on %s", (engine) => {
  let handle: DatabaseHandle;
  let db: Db;
  const queue = createQueue();
  let stop = new AbortController();
  let workers: Promise<void>[] = [];

  beforeAll(async () => {
    handle = await openTestDatabase(engine);
    db = handle.db;
  });
  afterAll(() => handle.close());
  beforeEach(async () => {
    stop = new AbortController();
    workers = [];
    await db.deleteFrom("job").execute();
  });
  afterEach(async () => {
    stop.abort();
    await Promise.all(workers);
  });

  const work = (handlers: Record<string, JobHandler>, options: Partial<WorkerOptions> = {}) => {
    const worker = createWorker({
      db,
      queue,
      handlers,
      concurrency: 2,
      signal: stop.signal,
      backoffSeconds: 0.05,
      heartbeatMs: 50,
      pollMs: 100,
      sweepMs: 50,
      ...options,
    });
    workers.push(worker);
    return worker;
  };
  const stateOf = async (id: string | null) =>
    (await db.selectFrom("job").select("state").where("id", "=", String(id)).executeTakeFirst())?.state;
  /** Rows of the job table that `act` reads, by the database's own counters. */
  const rowsRead = (act: (trx: Db) => Promise<unknown>) =>
    db.transaction().execute(async (trx) => {
      const count = async () => {
        const { rows } = await sql<{ read: number }>`select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read
          from pg_stat_xact_user_tables where relname = 'job'`.execute(trx);
        return rows[0]?.read ?? 0;
      };
      const before = await count();
      await act(trx);
      return (await count()) - before;
    });
  const nothing: JobHandler = { run: async () => undefined };
  const expireLeases = () => sql`update job set lease_until = now() - interval '1 second'`.execute(db);

  it("carries the id of the request that enqueued it and reports its duration when done", async () => {
    const done: unknown[] = [];
    await queue.within("r-1", () =>
      db.transaction().execute((trx) => queue.enqueue(trx, { kind: "a", payload: { id: "t" } })),
    );
    await queue.enqueue(db, { kind: "a", payload: {} });
    const run: JobHandler["run"] = async () => ({ write: async () => {}, facts: { audioMs: 2000, characters: 7 } });
    work({ a: { run } }, { onDone: (job, how) => done.push(loggedDone(job, { ...how, durationMs: 500 })) });
    await expect.poll(() => done).toHaveLength(2);
    const facts = { durationMs: 500, audioMs: 2000, characters: 7, realTimeFactor: 0.25 };
    expect(done).toContainEqual({
      requestId: "r-1",
      job: { id: expect.any(String), kind: "a", attempt: 1, task: "t" },
      ...facts,
    });
    expect(done).toContainEqual({ job: { id: expect.any(String), kind: "a", attempt: 1 }, ...facts });
  });

  it("carries its request's id while others end, and leaves no hook on promises behind", async () => {
    const asyncId = () => Promise.resolve().then(() => executionAsyncId());
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const first = queue.within("r-1", async () => {
      await held;
      await queue.enqueue(db, { kind: "a", payload: {} });
    });
    await queue.within("r-2", () => queue.enqueue(db, { kind: "b", payload: {} }));
    release();
    await first;
    const jobs = await db.selectFrom("job").select(["kind", "request_id"]).orderBy("kind").execute();
    expect(jobs.map(({ request_id }) => request_id)).toEqual(["r-1", "r-2"]);
    expect(await asyncId()).toBe(0);
  });

  it("is not reported as done if it failed, was lost or could not be written", async () => {
    const done: unknown[] = [];
    let runs = 0;
    const run: JobHandler["run"] = async () => {
      runs++;
      return { write: () => Promise.reject(new Error("no")), facts: {} };
    };
    await queue.enqueue(db, { kind: "a", payload: {}, maxAttempts: 2 });
    work({ a: { run } }, { onDone: (job) => done.push(job) });
    await expect.poll(() => runs).toBe(2);
    stop.abort();
    await Promise.all(workers);
    expect(done).toEqual([]);
  });

  it("does not exist when the caller's transaction fails", async () => {
    const failing = db.transaction().execute(async (trx) => {
      await queue.enqueue(trx, { kind: "a", payload: {} });
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await claim(db, ["a"], 10)).toBeUndefined();
  });

  it("is taken by priority, then by age", async () => {
    for (const [name, priority] of [
      ["first", 0],
      ["second", 0],
      ["urgent", 5],
    ] as const) {
      await queue.enqueue(db, { kind: "a", payload: { name }, priority });
    }
    const names = [];
    for (let i = 0; i < 3; i++) names.push((await claim(db, ["a"], 10))?.payload);
    expect(names).toEqual([{ name: "urgent" }, { name: "first" }, { name: "second" }]);
  });

  it("reports how many jobs are ahead of it", async () => {
    const first = await queue.enqueue(db, { kind: "a", payload: {} });
    const second = await queue.enqueue(db, { kind: "a", payload: {} });
    const urgent = await queue.enqueue(db, { kind: "a", payload: {}, priority: 1 });
    const places = [];
    for (const id of [urgent, first, second]) places.push(await queue.position(db, String(id)));
    expect(places).toEqual([0, 1, 2]);
    await claim(db, ["a"], 60);
    expect(await queue.position(db, String(urgent))).toBe(0);
    expect(await queue.position(db, String(second))).toBe(2);
  });

  it("does not count jobs that are not due yet as ahead of it", async () => {
    const later = await queue.enqueue(db, { kind: "b", payload: {}, priority: 9, delaySeconds: 60 });
    const mine = await queue.enqueue(db, { kind: "a", payload: {} });
    expect(await queue.position(db, String(mine))).toBe(0);
    expect(await queue.position(db, String(later))).toBe(0);
  });

  it("is claimed and placed without reading the thousands that wait", async () => {
    await sql`insert into job (kind, payload) select 'many', '{}' from generate_series(1, 20000)`.execute(db);
    const last = await queue.enqueue(db, { kind: "many", payload: {} });
    const mine = await queue.enqueue(db, { kind: "a", payload: {} });
    await sql`analyze job`.execute(db);
    expect(await rowsRead((trx) => claim(trx, ["a", "b"], 60))).toBeLessThan(20);
    expect(await stateOf(mine)).toBe("active");
    expect(await rowsRead((trx) => queue.position(trx, String(last)))).toBeLessThan(2000);
    expect(await queue.position(db, String(last))).toBe(1000);
  });

  it("exists once per key, and can be enqueued again after the first one ended", async () => {
    const first = await queue.enqueue(db, { kind: "a", key: "k", payload: {} });
    expect(await queue.enqueue(db, { kind: "a", key: "k", payload: {} })).toBeNull();
    await queue.cancel(db, String(first));
    expect(await queue.enqueue(db, { kind: "a", key: "k", payload: {} })).not.toBeNull();
  });

  it("is claimed by only one of many workers", async () => {
    for (let i = 0; i < 40; i++) await queue.enqueue(db, { kind: "a", payload: { i } });
    const seen: unknown[] = [];
    const handlers = { a: { run: async (payload: unknown) => void seen.push(payload) } as JobHandler };
    for (let i = 0; i < 4; i++) work(handlers);
    await expect.poll(() => seen).toHaveLength(40);
    expect(new Set(seen.map((payload) => JSON.stringify(payload))).size).toBe(40);
  });

  it("is picked up without waiting for a poll when this process enqueued it", async () => {
    const run = vi.fn(async () => undefined);
    work({ a: { run } }, { pollMs: 3_600_000, sweepMs: 3_600_000 });
    for (const count of [1, 2, 3]) {
      // The worker waits by then.
      await sleep(50);
      await queue.enqueue(db, { kind: "a", payload: {} });
      queue.wake();
      await expect.poll(() => run).toHaveBeenCalledTimes(count);
    }
  });

  it("writes its result in the transaction that completes it", async () => {
    const id = await queue.enqueue(db, { kind: "a", payload: {} });
    let failures = 0;
    const written = vi.fn(async () => {});
    const discard = vi.fn(async () => {});
    const handler: JobHandler = {
      run: async () => ({
        async write(trx) {
          await queue.enqueue(trx, { kind: "after", payload: {} });
          if (failures++ === 0) throw new Error("could not write");
        },
        written,
        discard,
      }),
    };
    work({ a: handler });
    await expect.poll(() => stateOf(id)).toBe("done");
    await expect.poll(() => written).toHaveBeenCalledTimes(1);
    expect(discard).toHaveBeenCalledTimes(1);
    expect(await db.selectFrom("job").select("id").where("kind", "=", "after").execute()).toHaveLength(1);
  });

  it("is retried after a delay and fails after the last attempt", async () => {
    const id = await queue.enqueue(db, { kind: "a", payload: { of: 1 }, maxAttempts: 3 });
    const run = vi.fn(async () => {
      throw new Error("broken");
    });
    const failed = vi.fn(async () => {});
    const onError = vi.fn();
    work({ a: { run, failed } }, { onError });
    await expect.poll(() => stateOf(id)).toBe("failed");
    expect(run).toHaveBeenCalledTimes(3);
    expect(onError).toHaveBeenCalledTimes(3);
    expect(failed).toHaveBeenCalledTimes(1);
    expect(failed).toHaveBeenCalledWith(expect.anything(), { of: 1 }, expect.objectContaining({ message: "broken" }));
  });

  it("fails at once when the error is final", async () => {
    const id = await queue.enqueue(db, { kind: "a", payload: {} });
    const run = vi.fn(async () => {
      throw new RangeError("never");
    });
    work({ a: { run, isFinal: (error) => error instanceof RangeError } });
    await expect.poll(() => stateOf(id)).toBe("failed");
    expect(run).toHaveBeenCalledTimes(1);
  });

  it("is claimed by another worker when its lease expires, and the first worker can no longer write", async () => {
    await queue.enqueue(db, { kind: "a", payload: {} });
    const dead = await claim(db, ["a"], 60);
    if (!dead) throw new Error("nothing to claim");
    expect(await claim(db, ["a"], 60)).toBeUndefined();
    await expireLeases();
    const successor = await claim(db, ["a"], 60);
    expect(successor).toMatchObject({ id: dead.id, attempt: 2 });
    expect(await renew(db, dead, 60)).toBe("lost");
    expect(await end(db, dead, { state: "done" })).toBe(false);
    expect(await stateOf(dead.id)).toBe("active");
  });

  it("fails and releases its reservation when its last worker dies", async () => {
    const id = await queue.enqueue(db, { kind: "a", payload: {}, maxAttempts: 1 });
    await claim(db, ["a"], 60);
    await expireLeases();
    const failed = vi.fn(async () => {});
    expect(await sweepDead(db, { a: { ...nothing, failed } })).toBe(1);
    expect(failed).toHaveBeenCalledTimes(1);
    expect(await stateOf(id)).toBe("failed");
  });

  it("aborts a worker that lost the lease", async () => {
    await queue.enqueue(db, { kind: "a", payload: {} });
    let stoppedBy: unknown;
    const run: JobHandler["run"] = async (_, { signal, attempt }) => {
      if (attempt > 1) return undefined;
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      stoppedBy = signal.reason;
      throw signal.reason;
    };
    work({ a: { run } });
    await expect.poll(async () => (await db.selectFrom("job").select("state").execute())[0]?.state).toBe("active");
    await sql`update job set lease = gen_random_uuid()`.execute(db);
    await expect.poll(() => stoppedBy).toMatchObject({ message: "job lost" });
  });

  it("does not run when it is cancelled before its start", async () => {
    const id = await queue.enqueue(db, { kind: "a", payload: {} });
    expect(await queue.cancel(db, String(id))).toBe("waiting");
    expect(await claim(db, ["a"], 10)).toBeUndefined();
    expect(await queue.cancel(db, String(id))).toBe("over");
  });

  it("aborts when it is cancelled while it runs", async () => {
    const id = await queue.enqueue(db, { kind: "a", payload: {} });
    const failed = vi.fn(async () => {});
    const run: JobHandler["run"] = (_, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    work({ a: { run, failed } });
    await expect.poll(() => stateOf(id)).toBe("active");
    expect(await queue.cancel(db, String(id))).toBe("running");
    queue.wake();
    await expect.poll(() => stateOf(id)).toBe("cancelled");
    expect(failed).toHaveBeenCalledTimes(1);
  });

  it("renews its lease at most twice for a hundred simultaneous wake-ups", async () => {
    await queue.enqueue(db, { kind: "a", payload: {} });
    let begun = () => {};
    const start = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const run: JobHandler["run"] = (_, { signal }) => {
      begun();
      return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    };
    work({ a: { run } }, { heartbeatMs: 60_000 });
    await start;
    const asked = vi.spyOn(db, "getExecutor");
    for (let i = 0; i < 100; i++) queue.wake();
    expect(asked.mock.calls.length).toBeLessThanOrEqual(2);
    asked.mockRestore();
  });

  it("is returned to the queue unchanged when the worker stops", async () => {
    const id = await queue.enqueue(db, { kind: "a", payload: {} });
    const run: JobHandler["run"] = (_, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const worker = work({ a: { run } });
    await expect.poll(() => stateOf(id)).toBe("active");
    stop.abort();
    await worker;
    expect(await db.selectFrom("job").select(["state", "attempt"]).executeTakeFirst()).toEqual({
      state: "ready",
      attempt: 0,
    });
  });

  it("does not accumulate abort listeners in an idle worker", async () => {
    const any = vi.spyOn(AbortSignal, "any");
    const claims = vi.fn();
    const counted = new Proxy(db, {
      get(target, name) {
        if (name === "getExecutor") claims();
        const value = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    work({ a: nothing }, { db: counted, pollMs: 5 });
    await expect.poll(() => claims.mock.calls.length).toBeGreaterThan(5);
    expect(any).not.toHaveBeenCalled();
    any.mockRestore();
  });

  it.runIf(engine === "postgres")("is given back, uncounted, each time the server ends its connection", async () => {
    let cuts = 0;
    let discarded = 0;
    const run: JobHandler["run"] = async () => ({
      async write(trx) {
        if (++cuts < 5) await sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx);
      },
      discard: async () => void discarded++,
    });
    const id = await queue.enqueue(db, { kind: "a", payload: {}, maxAttempts: 1 });
    work({ a: { run } });
    await expect.poll(() => stateOf(id)).toBe("done");
    expect({ cuts, discarded }).toEqual({ cuts: 5, discarded: 4 });
  });

  it("is executed after database errors", async () => {
    const onError = vi.fn();
    const broken = { ...db, transaction: db.transaction.bind(db), calls: 0 };
    const flaky = new Proxy(db, {
      get(target, name) {
        if (name === "getExecutor" && broken.calls++ < 3) throw new Error("connection lost");
        const value = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const id = await queue.enqueue(db, { kind: "a", payload: {} });
    work({ a: nothing }, { db: flaky, onError });
    await expect.poll(() => stateOf(id)).toBe("done");
    expect(onError).toHaveBeenCalled();
  });
});
