import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestPlace, openTestDatabase, testEngines } from "../../../tests/support/database";
import { type DatabaseRelay, openDatabaseRelay } from "../../../tests/support/database-relay";
import { DatabaseUnavailable } from "../errors";
import { type DatabaseHandle, type Db, openDatabase } from "./database";
import { createOnce } from "./idempotency";
import { createRateLimit } from "./rate-limit";

describe.each(testEngines)("the database on %s", (engine) => {
  let handle: DatabaseHandle;
  beforeAll(async () => {
    handle = await openTestDatabase(engine);
  });
  afterAll(() => handle.close());

  const job = { kind: "a", payload: "{}" };
  const jobs = async () => (await handle.db.selectFrom("job").select("id").execute()).length;

  it("executes twenty parallel requests with one key once", async () => {
    const once = createOnce(handle.db);
    let acts = 0;
    const request = { owner: "visitor:1", call: "create", key: "k1", request: { text: "a" } };
    const results = await Promise.all(
      Array.from({ length: 20 }, () =>
        once(request, async (trx) => {
          await trx.insertInto("job").values(job).execute();
          return { act: ++acts };
        }),
      ),
    );
    expect(acts).toBe(1);
    expect(await jobs()).toBe(1);
    expect(results.filter(({ first }) => first)).toHaveLength(1);
    for (const { answer } of results) expect(answer).toEqual({ act: 1 });
  });

  it("rejects one key used for two requests", async () => {
    const once = createOnce(handle.db);
    const request = { owner: "visitor:1", call: "create", key: "k2" };
    await once({ ...request, request: "a" }, async () => 1);
    const other = once({ ...request, request: "b" }, async () => 2);
    await expect(other).rejects.toMatchObject({ code: "bad-request", status: 409 });
    expect(await once({ ...request, owner: "visitor:2", request: "b" }, async () => 3)).toMatchObject({ answer: 3 });
  });

  it("stores nothing for a failed request", async () => {
    const once = createOnce(handle.db);
    const request = { owner: "visitor:1", call: "create", key: "k3", request: "a" };
    const before = await jobs();
    const failing = once(request, async (trx) => {
      await trx.insertInto("job").values(job).execute();
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await jobs()).toBe(before);
    expect(await once(request, async () => "again")).toMatchObject({ answer: "again", first: true });
  });

  it("counts hits per key and window", async () => {
    const rate = createRateLimit(handle.db);
    const rule = { limit: 2, windowSeconds: 3600 };
    const answers = await Promise.all([1, 2, 3].map(() => rate.hit("a", rule)));
    expect(answers.filter(({ isAllowed }) => isAllowed)).toHaveLength(2);
    expect(answers.map(({ hits }) => hits).sort()).toEqual([1, 2, 3]);
    expect(await rate.hit("b", rule)).toMatchObject({ isAllowed: true, hits: 1 });
  });

  it("reports when the window ends", async () => {
    const rate = createRateLimit(handle.db);
    const { retryAfterSeconds } = await rate.hit("c", { limit: 1, windowSeconds: 3600 });
    expect(retryAfterSeconds).toBeGreaterThan(0);
    expect(retryAfterSeconds).toBeLessThanOrEqual(3600);
  });
});

it("an embedded database refuses a second process on its directory and releases it when closed", async () => {
  const { place, remove } = await createTestPlace("embedded");
  const first = await openDatabase(place);
  await expect(openDatabase(place)).rejects.toThrow("already open in another process");
  await first.close();
  const again = await openDatabase(place);
  await again.close();
  await remove();
});

it("a server that cannot be reached is reported with the name of its setting", async () => {
  await expect(openDatabase({ url: "postgres://postgres@localhost:1/none" })).rejects.toThrow(
    /^DATABASE_URL cannot be used: .*ECONNREFUSED/,
  );
});

it.each(testEngines.filter((engine) => engine === "postgres"))(
  "a database is migrated once by servers that start together",
  async (engine) => {
    const { place, remove } = await createTestPlace(engine, { isMigrated: false });
    const handles = await Promise.all([1, 2, 3].map(() => openDatabase(place)));
    await Promise.all(handles.map((handle) => handle.close()));
    await remove();
  },
);

describe.runIf(testEngines.includes("postgres"))("a connection that the server ends", () => {
  let relay: DatabaseRelay;
  let handle: DatabaseHandle;
  let operator: pg.Client;
  let remove: () => Promise<void>;
  beforeAll(async () => {
    const opened = await createTestPlace("postgres");
    if (!("url" in opened.place)) throw new Error("no server");
    relay = await openDatabaseRelay(opened.place.url);
    handle = await openDatabase({ url: relay.url });
    operator = new pg.Client({ connectionString: opened.place.url });
    await operator.connect();
    remove = opened.remove;
  });
  afterAll(async () => {
    await operator.end();
    await handle.close();
    await relay.close();
    await remove();
  });

  const pidOf = async (db: Db) =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid ?? 0;
  const terminate = (pid: number) => operator.query("select pg_terminate_backend($1, 10000)", [pid]);
  const begin = () => handle.db.startTransaction().execute();
  const job = { kind: "cut", payload: "{}" };
  const jobs = async () => (await handle.db.selectFrom("job").select("id").where("kind", "=", "cut").execute()).length;

  it("fails its transaction as unavailable and leaves the process, the pool and the rows as they were", async () => {
    const trx = await begin();
    await trx.insertInto("job").values(job).execute();
    await terminate(await pidOf(trx));
    await expect.poll(() => pidOf(trx).catch((error: Error) => error)).toBeInstanceOf(DatabaseUnavailable);
    await trx
      .rollback()
      .execute()
      .catch(() => {});
    expect(await jobs()).toBe(0);
  });

  it("does so too when it was idle in a transaction for too long", async () => {
    const trx = await begin();
    await sql`set local idle_in_transaction_session_timeout = 10`.execute(trx);
    await expect
      .poll(() => pidOf(trx).catch((error: Error) => error), { interval: 100 })
      .toBeInstanceOf(DatabaseUnavailable);
    await trx
      .rollback()
      .execute()
      .catch(() => {});
  });

  it("is not given to the next call that waits for one", async () => {
    const held = await Promise.all(Array.from({ length: 9 }, begin));
    const trx = await begin();
    const pid = await pidOf(trx);
    const asleep = expect(sql`select pg_sleep(600)`.execute(trx)).rejects.toBeInstanceOf(DatabaseUnavailable);
    const cut = asleep.finally(() =>
      trx
        .rollback()
        .execute()
        .catch(() => {}),
    );
    const waiting = Promise.all([jobs(), jobs()]);
    await terminate(pid);
    await cut;
    expect(await waiting).toEqual([0, 0]);
    for (const one of held) await one.rollback().execute();
  });

  it("may have committed: a repetition with the same key gets the answer, and acts once", async () => {
    const once = createOnce(handle.db);
    const request = { owner: "visitor:1", call: "create", key: "cut", request: "a" };
    const create = () =>
      once(request, async (trx) => {
        await trx.insertInto("job").values(job).execute();
        return "created";
      });
    relay.loseCommitAfter('insert into "job"');
    await expect(create()).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(await create()).toEqual({ answer: "created", first: false });
    expect(await jobs()).toBe(1);
  });

  it("is waited for at the start while the server is starting", async () => {
    const waits: unknown[] = [];
    relay.refuse(1);
    const opened = await openDatabase({ url: relay.url }, { waitMs: 60_000, onWait: (error) => waits.push(error) });
    await opened.close();
    expect(waits).toMatchObject([{ message: "the database system is starting up" }]);
  });

  it("is not waited for at the start when the server refuses the settings", async () => {
    const url = Object.assign(new URL(relay.url), { pathname: "/none" }).href;
    const opening = openDatabase({ url }, { waitMs: 600_000 });
    await expect(opening).rejects.toThrow('DATABASE_URL cannot be used: database "none" does not exist');
  });
});
