import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createTestPlace, type TestPlace } from "../../../tests/support/database";
import { type EmbeddedPlace, openEmbedded } from "./embedded";
import { openPglite, tieringFlags } from "./pglite";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

type Embedded = Awaited<ReturnType<typeof openEmbedded>>;

const createDirectory = async () => {
  const { place, remove } = await createTestPlace("embedded");
  return { directory: (place as EmbeddedPlace).directory, remove };
};

describe.each([
  { where: "in this thread", hasOwnThread: false },
  { where: "in its own thread", hasOwnThread: true },
])("the embedded database $where", ({ hasOwnThread }) => {
  let directory: string;
  let remove: TestPlace["remove"];
  let database: Embedded;
  beforeAll(async () => {
    ({ directory, remove } = await createDirectory());
    database = await openEmbedded({ directory, hasOwnThread });
    await database.pool.query("create table fruit (id int primary key, name text not null unique)");
  });
  afterAll(async () => {
    await database.pool.end();
    await database.close();
    await remove();
  });

  const countFruit = async () => (await database.pool.query("select count(*)::int as n from fruit")).rows[0].n;

  it("keeps files that its own user alone can read, those of later tables too", async () => {
    await database.pool.query(
      "create table crate as select i, repeat('x', 900) as name from generate_series(1, 9000) i",
    );
    await database.pool.query("create index on crate (name)");
    await database.pool.query("vacuum full crate");
    const names = readdirSync(directory, { recursive: true, encoding: "utf8" });
    const open = names.filter((name) => (statSync(join(directory, name)).mode & 0o077) !== 0);
    await database.pool.query("drop table crate");
    expect([names.length > 500, open]).toEqual([true, []]);
  });

  it("returns every type as a PostgreSQL server does", async () => {
    const { rows } = await database.pool.query(
      `select $1::timestamptz as moment, $2::bytea as bytes, $3::jsonb as json, 9007199254740993 as big, 1.50 as price,
        true as yes, null as nothing, array['a', 'b'] as list, $4::text as text`,
      [new Date(0), Buffer.from([0, 255]), '{"a":[1]}', "声像 🎵"],
    );
    const expected = { json: { a: [1] }, big: "9007199254740993", price: "1.50", yes: true, nothing: null };
    expect(rows).toEqual([
      { ...expected, moment: new Date(0), bytes: Buffer.from([0, 255]), list: ["a", "b"], text: "声像 🎵" },
    ]);
  });

  it("sends and returns values larger than its buffers", async () => {
    const large = "长".repeat(1_500_000);
    const { rows } = await database.pool.query("select $1::text || 'x' as text", [large]);
    expect(rows[0].text === `${large}x`).toBe(true);
  });

  it("reports the code and the constraint of an error and stays usable", async () => {
    const insert = () => database.pool.query("insert into fruit values ($1, $2)", [1, "apple"]);
    await insert();
    await expect(insert()).rejects.toMatchObject({ code: "23505", constraint: "fruit_pkey" });
    await expect(database.pool.query("selekt $1", [1])).rejects.toMatchObject({ code: "42601" });
    await expect(database.pool.query("select 1; selekt")).rejects.toMatchObject({ code: "42601" });
    expect(await countFruit()).toBe(1);
  });

  it("answers simultaneous queries in the order in which they arrived", async () => {
    const numbers = Array.from({ length: 50 }, (_, index) => index);
    const order: number[] = [];
    await Promise.all(
      numbers.map(async (n) => order.push((await database.pool.query("select $1::int as n", [n])).rows[0].n)),
    );
    expect(order).toEqual(numbers);
  });

  it("rolls back the transaction of a client that is lost", async () => {
    const before = await countFruit();
    const client = await database.pool.connect();
    await client.query("begin");
    await client.query("insert into fruit values (2, 'pear')");
    client.release(true);
    expect(await countFruit()).toBe(before);
  });
});

it("ends when the disk is full for its log, and not when it is full for a table", async () => {
  const { directory, remove } = await createDirectory();
  const ended = vi.fn<(error: Error) => void>();
  const database = await openEmbedded({ directory, hasOwnThread: true, onCrash: ended });
  const fail = (file: string) => {
    const message = `could not write to file "${file}": No space left on device`;
    return database.pool.query(`do $$ begin raise '%', '${message}' using errcode = '53100'; end $$`);
  };
  await expect(fail("base/5/1")).rejects.toMatchObject({ code: "53100" });
  await database.pool.query("select 1");
  expect(ended).not.toHaveBeenCalled();
  await expect(fail("pg_wal/xlogtemp.42")).rejects.toThrow();
  expect(ended.mock.calls[0]?.[0].cause).toMatchObject({ message: expect.stringContaining("The disk is full") });
  await database.close();
  await remove();
});

describe("the statements of the embedded database", () => {
  let database: Embedded;
  let remove: TestPlace["remove"];
  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ["setInterval"] });
    const place = await createDirectory();
    remove = place.remove;
    database = await openEmbedded({ directory: place.directory });
  });
  afterAll(async () => {
    vi.useRealTimers();
    await database.pool.end();
    await database.close();
    await remove();
  });

  it("are prepared once for each text with parameters", async () => {
    for (const n of [1, 2, 3]) await database.pool.query("select $1::int + 1 as n", [n]);
    const { rows } = await database.pool.query("select statement from pg_prepared_statements");
    expect(rows).toEqual([{ statement: "select $1::int + 1 as n" }]);
  });

  it("stay usable after an error, also of a text that cannot be parsed", async () => {
    const divide = (by: number) => database.pool.query("select 6 / $1::int as n", [by]);
    await expect(divide(0)).rejects.toMatchObject({ code: "22012" });
    expect((await divide(2)).rows).toEqual([{ n: 3 }]);
    for (const _ of [1, 2])
      await expect(database.pool.query("selekt $1", [1])).rejects.toMatchObject({ code: "42601" });
  });

  it("are planned again every minute, because a table may have grown", async () => {
    const query = (text: string) => database.pool.query(text);
    await query("set plan_cache_mode = force_generic_plan");
    await query("create table berry (id int primary key)");
    await query("insert into berry values (0); analyze berry");
    const find = "select id from berry where id = $1";
    const explain = async () => {
      await database.pool.query(find, [0]);
      const { rows } = await query(`select name from pg_prepared_statements where statement = '${find}'`);
      return JSON.stringify((await query(`explain execute ${rows[0].name}(0)`)).rows);
    };
    expect(await explain()).toContain("Seq Scan");
    await query("insert into berry select generate_series(1, 20000)");
    expect(await explain()).toContain("Seq Scan");
    vi.advanceTimersByTime(60_000);
    expect(await explain()).toContain("Index Only Scan");
  });

  it("have names up to a limit", async () => {
    for (let n = 0; n < 410; n++) await database.pool.query(`select $1::int as n${n}`, [n]);
    const { rows } = await database.pool.query("select count(*)::int as n from pg_prepared_statements");
    expect(rows).toEqual([{ n: 400 }]);
    expect((await database.pool.query("select $1::int as last", [7])).rows).toEqual([{ last: 7 }]);
  });
});

it("V8 knows the flags that keep the embedded database small", () => {
  const known = execFileSync(process.execPath, ["--v8-options"], { encoding: "utf8" });
  for (const flag of tieringFlags)
    expect(known).toMatch(new RegExp(`--${flag} .*\\n.*type: bool +default: --${flag}\\n`));
});

describe("the thread of the embedded database", () => {
  it("reports why it cannot open a directory, and releases it", async () => {
    const { directory, remove } = await createDirectory();
    await rm(join(directory, "global"), { recursive: true });
    await expect(openEmbedded({ directory, hasOwnThread: true })).rejects.toThrow(`${directory} does not open: `);
    await expect(openEmbedded({ directory, hasOwnThread: true })).rejects.not.toThrow("already open");
    await remove();
  });

  it("fails the queries in progress and reports its end when it crashes", async () => {
    const { directory, remove } = await createDirectory();
    const crashes: Error[] = [];
    const database = await openEmbedded({ directory, hasOwnThread: true, onCrash: (error) => crashes.push(error) });
    database.pool.on("error", () => {});
    const client = await database.pool.connect();
    client.on("error", () => {});
    const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
    // PGlite throws on a malformed startup message.
    stream.write(Buffer.alloc(8));
    await expect(client.query("select 1")).rejects.toThrow("ended unexpectedly");
    client.release(true);
    await expect(database.pool.query("select 1")).rejects.toThrow("ended unexpectedly");
    expect(crashes).toHaveLength(1);
    await database.pool.end();
    await database.close();
    await remove();
  });
});

it("the engine keeps nothing of the responses that it sent", async () => {
  const { directory, remove } = await createDirectory();
  const { exchange, close } = await openPglite(directory);
  const text = Buffer.from("select repeat('x', 1000000)\0");
  const query = Buffer.alloc(5 + text.length, "Q");
  query.writeInt32BE(4 + text.length, 1);
  text.copy(query, 5);
  const receive = async (count: number) => {
    for (let i = 0; i < count; i++) expect((await exchange(query)).length).toBeGreaterThan(1_000_000);
  };
  const kept = () => {
    collectGarbage();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  await receive(5);
  const before = kept();
  await receive(50);
  // V8 releases array buffers in a thread of its own, some time after the collection.
  await expect.poll(() => kept() - before).toBeLessThan(10e6);
  await close();
  await remove();
});
