import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Db } from "~server/upstream/db/database";
import { createTaskEvents, type TaskEvents } from "~server/upstream/generations/events";
import type { Owner } from "~server/upstream/owner";
import type { TaskProgress } from "~server/upstream/task-status";
import { logIn } from "../support/account";
import { ruleEngines } from "../support/database";
import { readEvents } from "../support/task-events";
import { createTrial, firstRoleId, sentence, waitForTrial } from "../support/trial";
import { createVisitor, openTestUpstream, type TestUpstream } from "../support/upstream";

const isEnd = ({ event }: { event: TaskProgress }) => event.status !== 1;

describe.each(ruleEngines)("tasks on %s", (engine) => {
  let upstream: TestUpstream;
  let roleId: string;
  beforeAll(async () => {
    upstream = await openTestUpstream(engine);
    upstream.services.startWorker();
    roleId = await firstRoleId(createVisitor(upstream.services));
  });
  afterAll(() => upstream.close());

  it("send events from beginning to end, live and again from any number", async () => {
    const owner = createVisitor(upstream.services);
    const live = readEvents(owner, isEnd);
    const { data } = await createTrial(owner, { content: sentence, roleId });
    const received = await live;
    expect(received.every(({ event }) => event.kind === "trial" && event.taskId === data.taskId)).toBe(true);
    expect(received.at(-1)?.event).toMatchObject({ status: 2, progress: 1, msg: "" });
    expect(received.length).toBeGreaterThan(2);
    const ids = received.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    expect(await readEvents(owner, isEnd)).toEqual(received);
    const since = ids[1] ?? 0;
    expect(await readEvents(owner, isEnd, { since })).toEqual(received.slice(2));
    expect(await readEvents(owner, isEnd, { headers: { "last-event-id": String(since) } })).toEqual(received.slice(2));
  });

  it("are 20 streams of one owner at most, until some are closed", async () => {
    const owner = createVisitor(upstream.services);
    const open = () => owner.file("/api/v1/tasks/events?since=0");
    const streams = await Promise.all(Array.from({ length: 20 }, open));
    expect(streams.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect((await open()).status).toBe(429);
    expect((await createVisitor(upstream.services).file("/api/v1/tasks/events?since=0")).status).toBe(200);
    for (const { body } of streams) await body?.cancel();
    await expect.poll(async () => (await open()).status).toBe(200);
  });

  it("send events to their owner only", async () => {
    const owner = createVisitor(upstream.services);
    const { data } = await createTrial(owner, { content: sentence, roleId });
    await waitForTrial(owner, data.taskId);
    const stranger = createVisitor(upstream.services);
    expect(await readEvents(stranger, () => true, { timeoutMs: 700 })).toEqual([]);
    const dead = await owner.get("/tasks/events", { token: "stale" });
    expect(dead).toMatchObject({ code: 5, msg: "login-expired" });
  });

  it("are transferred to the account when a visitor logs in", async () => {
    const visitor = createVisitor(upstream.services);
    const { data } = await createTrial(visitor, { content: sentence, roleId });
    await waitForTrial(visitor, data.taskId);
    const member = await logIn(upstream.services, { visitor });
    const received = await readEvents(member, isEnd);
    expect(received.at(-1)?.event).toMatchObject({ taskId: data.taskId, status: 2 });
  });

  it.each(["cancel", "retry"])("that do not exist cannot be changed by %s", async (act) => {
    const member = await logIn(upstream.services);
    for (const taskId of ["nonsense", "00000000-0000-4000-8000-000000000000"]) {
      expect(await member.post(`/tasks/${act}`, { taskId })).toMatchObject({ code: 7, msg: "not-found" });
    }
    expect(await member.post(`/tasks/${act}`, {})).toMatchObject({ status: 400 });
  });

  it("are limited by tier", async () => {
    const member = await logIn(upstream.services);
    expect((await member.get("/tasks/allowance")).data).toEqual({ tier: null, limit: 100, left: 3 });
    expect(await createVisitor(upstream.services).get("/tasks/allowance")).toMatchObject({ code: 5 });
  });
});

describe.each(ruleEngines)("events of tasks on %s", (engine) => {
  let upstream: TestUpstream;
  let events: TaskEvents;
  const errors: unknown[] = [];
  beforeAll(async () => {
    upstream = await openTestUpstream(engine);
    events = createTaskEvents({ db: upstream.database(), onError: (error) => errors.push(error) });
  });
  afterAll(async () => {
    events.close();
    await upstream.close();
    expect(errors).toEqual([]);
  });

  const progress = (taskId: string): TaskProgress => ({
    kind: "clone",
    taskId,
    status: 1,
    progress: 0,
    segDone: 0,
    segTotal: 0,
    queuePos: 0,
    msg: "",
  });
  const owner: Owner = "account:reader";
  const collect = async (
    teller: TaskEvents,
    { count, since = 0, names = [] }: { count: number; since?: number; names?: string[] | undefined },
  ) => {
    const end = new AbortController();
    for await (const { event } of teller.follow(owner, since, end.signal)) {
      names.push(event.taskId);
      if (names.length === count) break;
    }
    return names;
  };

  it("reach a reader after the commit, and never after a rollback", async () => {
    const db: Db = upstream.database();
    const end = new AbortController();
    const seen: string[] = [];
    const reading = (async () => {
      for await (const { event } of events.follow("account:moment", 0, end.signal)) {
        seen.push(event.taskId);
        if (event.taskId === "last") return;
      }
    })();
    await events.publish(db, "account:moment", progress("first"));
    await expect.poll(() => seen.length, { timeout: 150_000 }).toBe(1);
    await db
      .transaction()
      .execute(async (trx) => {
        await events.publish(trx, "account:moment", progress("never"));
        throw new Error("undone");
      })
      .catch(() => {});
    await events.publish(db, "account:moment", progress("last"));
    await reading;
    expect(seen).toEqual(["first", "last"]);
  });

  it.runIf(engine === "postgres")(
    "are not lost when transactions commit in a different order than they began",
    async () => {
      const db = upstream.database();
      const other = createTaskEvents({ db, onError: (error) => errors.push(error) });
      const read: string[][] = [[], []];
      const both = [collect(events, { count: 3, names: read[0] }), collect(other, { count: 3, names: read[1] })];
      const haveRead = (count: number) =>
        expect.poll(() => read.map(({ length }) => length), { timeout: 150_000 }).toEqual([count, count]);
      await db.transaction().execute(async (late) => {
        await events.publish(late, owner, progress("early number, late commit"));
        await other.publish(db, owner, progress("quick"));
        await haveRead(1);
        await events.publish(db, owner, progress("quick again"));
        await haveRead(2);
      });
      const expected = ["quick", "quick again", "early number, late commit"];
      for (const names of await Promise.all(both)) expect(names).toEqual(expected);
      expect(await collect(events, { count: 3 })).toEqual(expected);
      other.close();
    },
  );

  it("arrive exactly once when many are emitted concurrently", async () => {
    const many: Owner = "account:many";
    const end = new AbortController();
    const names: string[] = [];
    const reading = (async () => {
      for await (const { event } of events.follow(many, 0, end.signal)) if (names.push(event.taskId) === 120) return;
    })();
    const tell = async (teller: number) => {
      for (let i = 0; i < 20; i++) {
        await upstream
          .database()
          .transaction()
          .execute((trx) => events.publish(trx, many, progress(`${teller}-${i}`)));
      }
    };
    await Promise.all([0, 1, 2, 3, 4, 5].map(tell));
    await reading;
    expect(new Set(names).size).toBe(120);
  });

  it("end with the server and are deleted after a day", async () => {
    const following = createTaskEvents({ db: upstream.database(), onError: (error) => errors.push(error) });
    await following.publish(upstream.database(), "account:closing", progress("one"));
    const names: string[] = [];
    for await (const { event } of following.follow("account:closing", 0, new AbortController().signal)) {
      names.push(event.taskId);
      setTimeout(following.close, 20);
    }
    expect(names).toEqual(["one"]);
    const yesterday = new Date(Date.now() - 25 * 3_600_000);
    await upstream.database().updateTable("task_event").set({ created_at: yesterday }).execute();
    await following.sweep();
    expect(await upstream.database().selectFrom("task_event").selectAll().execute()).toEqual([]);
  });
});
