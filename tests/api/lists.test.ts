import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CompiledQuery, type KyselyPlugin, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createServices, type Services } from "~server/upstream/compose/services";
import type { DatabaseHandle, Db } from "~server/upstream/db/database";
import { openTestDatabase, testEngines } from "../support/database";
import { figureCalls, type ListCall, listCalls } from "../support/list-calls";
import { type HeavyAccount, insertListRows, smallScale } from "../support/list-rows";
import { createToneSpeech } from "../support/tone-engine";
import { appId } from "../support/upstream";

const dataKey = "a key for tests that is long enough";
/** The product's own rows, those of gateways and of running processes, and the sandbox gateway of demo mode. */
const fixedTables = new Set([
  "product",
  "pay_comparison",
  "engine_report",
  "sandbox_key",
  "sandbox_trade",
  "sandbox_refund",
]);

/** Collects every statement that runs on the database that it returns. */
function recordQueries(db: Db) {
  const queries = new Map<string, CompiledQuery>();
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      const query = db.getExecutor().compileQuery(node, queryId);
      queries.set(query.sql, query);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { db: db.withPlugin(plugin) as Db, queries };
}

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  Plans?: PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Below this size the planner reads a table whole even where an index fits. */
const smallTableRows = 2000;

/** The growing tables that the statement reads whole; a small one only where no index would serve. */
async function findScans(db: Db, query: CompiledQuery): Promise<string[]> {
  const scanned = await scannedTables(db, query, []);
  if (scanned.length === 0) return [];
  const { rows } = await sql<{ name: string }>`select relname as name from pg_class
    where relname = any(${scanned}::text[]) and reltuples >= ${smallTableRows}`.execute(db);
  const large = rows.map(({ name }) => name);
  const unavoidable = await scannedTables(db, query, ["enable_seqscan = off"]);
  return scanned.filter((table) => large.includes(table) || unavoidable.includes(table));
}

/** At this size it may pay to read tables whole, to join them or for fifty rows; in a large one rows are looked up. */
const asIfLarge = ["enable_hashjoin = off", "enable_mergejoin = off", "random_page_cost = 1.1"];

async function scannedTables(db: Db, { sql: text, parameters }: CompiledQuery, settings: string[]) {
  const explained = await db.transaction().execute(async (trx) => {
    for (const setting of [...asIfLarge, ...settings]) await sql`set local ${sql.raw(setting)}`.execute(trx);
    return trx.executeQuery<{ "QUERY PLAN": Array<{ Plan: PlanNode }> }>(
      CompiledQuery.raw(`explain (format json) ${text}`, [...parameters]),
    );
  });
  const plans = explained.rows.flatMap((row) => row["QUERY PLAN"]).flatMap(({ Plan }) => nodesOf(Plan));
  return plans.flatMap((node) => {
    const table = node["Relation Name"] ?? "";
    return node["Node Type"] === "Seq Scan" && !fixedTables.has(table) ? [table] : [];
  });
}

const isExplained = ({ sql: text }: CompiledQuery) => /^\s*(select|with|update|delete)\b/i.test(text);

async function reportScans(db: Db, queries: Map<string, CompiledQuery>): Promise<string[]> {
  const found: string[] = [];
  for (const query of queries.values()) {
    if (!isExplained(query)) continue;
    const scans = await findScans(db, query);
    if (scans.length > 0) found.push(`reads all of ${scans.join(", ")}: ${query.sql.replace(/\s+/g, " ")}`);
  }
  return found;
}

describe.each(testEngines)("many rows on %s", (engine) => {
  let database: DatabaseHandle;
  let services: Services;
  let heavy: HeavyAccount;
  let recorded: ReturnType<typeof recordQueries>;
  let dataDir: string;
  let calls: ListCall[];

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    heavy = await insertListRows(database.db, smallScale, dataKey);
    recorded = recordQueries(database.db);
    dataDir = await mkdtemp(join(tmpdir(), "plans-"));
    const settings = { databaseUrl: undefined, sms: undefined, siteUrl: null, storage: undefined };
    services = await createServices(
      { ...settings, appId, dataDir, dataKey, logLevel: "silent", mode: "demo" },
      { database: { ...database, db: recorded.db }, speech: createToneSpeech(), previews: false },
    );
    const lists = listCalls({ services, db: recorded.db, heavy, scale: smallScale, dataKey });
    calls = [...lists, ...figureCalls(recorded.db)];
  });
  afterAll(async () => {
    await services?.close();
    await database?.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  const read = async <Data>(path: string) => {
    const headers = { appid: appId, token: heavy.token };
    const answer = await services.fetch(new Request(`http://upstream/api/v1${path}`, { headers }));
    return ((await answer.json()) as { data: Data }).data;
  };
  type Ledger = { list: Array<{ entryId: string }>; total: number };

  it("keep their order on pages that are reached from the end", async () => {
    const all = await database.db.selectFrom("ledger").select("id").where("account_id", "=", heavy.id).execute();
    const ids = all.map(({ id }) => Number(id)).sort((a, b) => b - a);
    expect(ids).toHaveLength(2000);
    const idsOf = ({ list }: Ledger) => list.map(({ entryId }) => Number(entryId));
    for (const [page, pageSize] of [
      [2, 90],
      [12, 90],
      [18, 90],
      [23, 90],
    ] as const) {
      const found = await read<Ledger>(`/users/ledger?page=${page}&pageSize=${pageSize}`);
      expect(idsOf(found), `page ${page}`).toEqual(ids.slice((page - 1) * pageSize, page * pageSize));
      expect(found.total).toBe(2000);
    }
    expect(await read<Ledger>("/users/ledger?page=24&pageSize=90")).toMatchObject({ list: [], total: 2000 });
    expect(await read<Ledger>("/users/ledger?page=10000&pageSize=90")).toMatchObject({ list: [], total: 2000 });
  });

  it("are found on the square by one character, by two, by more, and in any case", async () => {
    await sql`update role set name = '小Ω号', describe = '50%的GPT配音', tags = array['一_二']
      where id = (select id from role where is_shown and owner is not null order by id limit 1)`.execute(database.db);
    const total = async (keyword: string) =>
      (await read<Ledger>(`/role/common/list?keyword=${encodeURIComponent(keyword)}&sort=name`)).total;
    for (const word of ["Ω", "小Ω", "小Ω号", "50%", "0%的", "gpt配", "GPT配音 小Ω", "一_二"])
      expect(await total(word), word).toBe(1);
    for (const word of ["Ω小", "小Ω号50", "5_%", "%Ω", "小Ω 没有"]) expect(await total(word), word).toBe(0);
    expect(await total(" ")).toBeGreaterThan(100);
  });

  it("are listed by queries that read no growing table whole", async () => {
    const found: string[] = [];
    for (const { name, run } of calls) {
      recorded.queries.clear();
      await run();
      expect(recorded.queries.size, name).toBeGreaterThan(0);
      found.push(...(await reportScans(database.db, recorded.queries)).map((scan) => `${name} ${scan}`));
    }
    expect(found).toEqual([]);
  });

  it("are measured, queued, followed and swept by queries that read no growing table whole", async () => {
    recorded.queries.clear();
    await services.measure();
    const stop = new AbortController();
    const headers = { appid: appId, token: heavy.token };
    const stream = await services.fetch(
      new Request("http://upstream/api/v1/tasks/events?since=1", { headers, signal: stop.signal }),
    );
    await stream.body?.getReader().read();
    services.startWorker();
    // The last step of the deletion reads what has no fingerprint.
    await expect.poll(() => [...recorded.queries.keys()].some((text) => text.includes('from "content"'))).toBe(true);
    stop.abort();
    expect(await reportScans(database.db, recorded.queries)).toEqual([]);
  });

  // Fingerprints are never deleted.
  it("are found by an index where a deleted row is referenced", async () => {
    const { rows } = await sql<{ reference: string }>`
      select conrelid::regclass || '.' || attname as reference
      from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
      where contype = 'f' and confdeltype <> 'a' and confrelid <> 'fingerprint'::regclass and not exists (
        select 1 from pg_index where indrelid = conrelid and indkey[0] = conkey[1])`.execute(database.db);
    expect(rows).toEqual([]);
  });
});
