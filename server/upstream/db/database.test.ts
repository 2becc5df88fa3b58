import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestPlace, openTestDatabase, testEngines } from "../../../tests/support/database";
import { type DatabaseHandle, openDatabase } from "./database";
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
    expect(results.filter((result) => result.kind === "answer" && result.first)).toHaveLength(1);
    for (const result of results) expect(result).toMatchObject({ kind: "answer", answer: { act: 1 } });
  });

  it("rejects one key used for two requests", async () => {
    const once = createOnce(handle.db);
    const request = { owner: "visitor:1", call: "create", key: "k2" };
    await once({ ...request, request: "a" }, async () => 1);
    expect(await once({ ...request, request: "b" }, async () => 2)).toEqual({ kind: "other-request" });
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
