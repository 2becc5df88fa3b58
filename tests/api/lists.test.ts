import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CompiledQuery, type KyselyPlugin, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createServices, type Services } from "~server/upstream/compose/services";
import type { DatabaseHandle, Db } from "~server/upstream/db/database";
import { openTestDatabase, testEngines } from "../support/database";
import { type ListCall, listCalls } from "../support/list-calls";
import { type HeavyAccount, insertListRows, smallScale } from "../support/list-rows";
import { createToneSpeech } from "../support/tone-engine";
import { appId } from "../support/upstream";

const dataKey = "a key for tests that is long enough";
/** The product's own rows, one row per gateway, and the sandbox gateway of demo mode. */
const fixedTables = new Set(["product", "pay_comparison", "sandbox_key", "sandbox_trade", "sandbox_refund"]);

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

describe.each(testEngines)("query plans on %s", (engine) => {
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
    calls = listCalls({ services, db: recorded.db, heavy, scale: smallScale, dataKey });
  });
  afterAll(async () => {
    await services?.close();
    await database?.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it("of lists read no growing table whole", async () => {
    const found: string[] = [];
    for (const { name, run } of calls) {
      recorded.queries.clear();
      await run();
      expect(recorded.queries.size, name).toBeGreaterThan(0);
      found.push(...(await reportScans(database.db, recorded.queries)).map((scan) => `${name} ${scan}`));
    }
    expect(found).toEqual([]);
  });

  it("of metrics, the queue, event streams and the hourly deletion read no growing table whole", async () => {
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
  it("of deletions find the rows that reference the deleted one by an index", async () => {
    const { rows } = await sql<{ reference: string }>`
      select conrelid::regclass || '.' || attname as reference
      from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
      where contype = 'f' and confdeltype <> 'a' and confrelid <> 'fingerprint'::regclass and not exists (
        select 1 from pg_index where indrelid = conrelid and indkey[0] = conkey[1])`.execute(database.db);
    expect(rows).toEqual([]);
  });
});
