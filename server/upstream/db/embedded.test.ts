import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestPlace, type TestPlace } from "../../../tests/support/database";
import { type EmbeddedPlace, openEmbedded } from "./embedded";

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

describe("the thread of the embedded database", () => {
  it("reports why it cannot open a directory, and releases it", async () => {
    const { directory, remove } = await createDirectory();
    await rm(join(directory, "global"), { recursive: true });
    await expect(openEmbedded({ directory, hasOwnThread: true })).rejects.toThrow();
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
