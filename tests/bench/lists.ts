import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServices, type UpstreamConfig } from "~server/upstream/compose/services";
import { openDatabase } from "~server/upstream/db/database";
import { figureCalls, type ListCall, listCalls } from "../support/list-calls";
import { insertListRows, largeScale } from "../support/list-rows";
import { findPostgres, startPostgres } from "../support/postgres";
import { createToneSpeech } from "../support/tone-engine";
import { appId } from "../support/upstream";
import { type Row, worstOf } from "./row";

const rounds = 15;
const goalMs = 20;
/** Sums over all rows of 30 days. */
const dayGoalMs = 200;
const dataKey = "a key for the benchmark that is long enough";

/** Every list of an account with 50,000 clones among 1,000,000, next to a read by primary key of the same rounds. */
export async function benchLists(): Promise<Row[]> {
  const bin = findPostgres();
  if (!bin) {
    console.log("Skipped: no PostgreSQL under /usr/lib/postgresql.");
    return [];
  }
  const postgres = await startPostgres(bin, { shared_buffers: "1GB", max_wal_size: "8GB", autovacuum: "off" });
  const database = await openDatabase({ url: postgres.url });
  const dataDir = mkdtempSync(join(tmpdir(), "lists-"));
  const config: UpstreamConfig = {
    dataDir,
    databaseUrl: undefined,
    dataKey,
    sms: undefined,
    appId,
    logLevel: "silent",
    mode: "demo",
    siteUrl: null,
  };
  try {
    const startedAt = performance.now();
    const heavy = await insertListRows(database.db, largeScale, dataKey);
    const seedSeconds = (performance.now() - startedAt) / 1000;
    const services = await createServices(config, { database, speech: createToneSpeech(), previews: false });
    const byKey: ListCall = {
      name: "one account by its primary key",
      run: () => database.db.selectFrom("account").selectAll().where("id", "=", heavy.id).execute(),
    };
    const lists = listCalls({ services, db: database.db, heavy, scale: largeScale, dataKey });
    const rows = await measure([byKey, ...lists]);
    const figures = await measure(figureCalls(database.db));
    await services.close();
    const budget = {
      name: "lists at a million rows: slowest p50",
      budget: `≤ ${goalMs} ms`,
      which: "highest",
    } as const;
    const ofToday = {
      name: "operators' day at a million rows: p50",
      budget: `≤ ${dayGoalMs} ms`,
      which: "highest",
    } as const;
    return [
      { name: "seeding 1,000,000 clones and the rest", value: seedSeconds, unit: "s" },
      ...rows,
      worstOf(rows, budget),
      ...figures,
      worstOf(figures, ofToday),
    ];
  } finally {
    await database.close();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** In turn, so that other load of the machine meets every list alike. */
async function measure(lists: ListCall[]): Promise<Row[]> {
  const times = new Map(lists.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round <= rounds; round++) {
    for (const { name, run } of lists) {
      const startedAt = performance.now();
      await run();
      // The first round fills caches.
      if (round > 0) times.get(name)?.push(performance.now() - startedAt);
    }
  }
  return [...times].map(([name, measured]) => {
    const sorted = measured.sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    return {
      name,
      value: at(0.5),
      unit: "ms",
      beside: `p95 ${at(0.95).toFixed(1)} ms`,
    };
  });
}
