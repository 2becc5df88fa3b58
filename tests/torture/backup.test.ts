import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import pg from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { createServices, type UpstreamConfig } from "~server/upstream/compose/services";
import { connectDatabase, type DatabasePlace, openDatabase } from "~server/upstream/db/database";
import { openBucket } from "../support/bucket";
import { findDownload } from "../support/downloads";
import { findPostgres, startPostgres } from "../support/postgres";
import { createToneSpeech } from "../support/tone-engine";
import { createTrial, firstRoleId, sentence, uploadVoice, waitForTrial } from "../support/trial";
import { createVisitor, testConfig } from "../support/upstream";

const closers: Array<() => Promise<unknown>> = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface Place {
  database: DatabasePlace;
  dataDir: string;
  storage: UpstreamConfig["storage"];
}

/** Starts the upstream on the data that a stopped server left. */
async function open({ database: place, dataDir, storage }: Place) {
  const database = await openDatabase(place);
  const config = { ...testConfig(dataDir), storage };
  const services = await createServices(config, { speech: createToneSpeech(), previews: false, database });
  const close = async () => {
    await services.close();
    await database.close();
  };
  return { services, close };
}

/** Creates user data and returns its account and files. */
async function live(place: Place) {
  const { services, close } = await open(place);
  services.startWorker();
  const visitor = createVisitor(services);
  const voicePath = await uploadVoice(visitor);
  const { data } = await createTrial(visitor, { content: sentence, roleId: await firstRoleId(visitor) });
  const { voiceUrl, downloads } = await waitForTrial(visitor, data.taskId);
  await close();
  return {
    id: visitor.id,
    urls: [voicePath, voiceUrl, findDownload({ downloads }, "mp3"), findDownload({ downloads }, "wav")],
  };
}

/** A checksum for every table and for every file as served to its owner. */
async function sumsOf(place: Place, { id, urls }: Awaited<ReturnType<typeof live>>) {
  const { db, close: disconnect } = await connectDatabase(place.database);
  const tables = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' order by 1`.execute(db);
  const rows: Record<string, string> = {};
  for (const { name } of tables.rows) {
    const sums = await sql<{ sum: string }>`
      select count(*) || ':' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as sum
      from ${sql.table(name)} t`.execute(db);
    rows[name] = sums.rows[0]?.sum ?? "";
  }
  await disconnect();
  const { services, close } = await open(place);
  const owner = createVisitor(services, { id });
  const files: string[] = [];
  for (const url of urls) {
    const answer = await owner.file(url);
    expect(answer.status).toBe(200);
    files.push(
      createHash("sha256")
        .update(Buffer.from(await answer.arrayBuffer()))
        .digest("hex"),
    );
  }
  await close();
  return { rows, files };
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "backup-"));
  closers.push(() => rm(path, { recursive: true, force: true }));
  return path;
}

it("a copy of a stopped server's DATA_DIR restores all data", async () => {
  const [dataDir, copy] = [await folder(), await folder()];
  const at = (root: string): Place => ({
    database: { directory: join(root, "db") },
    dataDir: root,
    storage: undefined,
  });
  const made = await live(at(dataDir));
  await cp(dataDir, copy, { recursive: true });
  const before = await sumsOf(at(dataDir), made);
  await rm(dataDir, { recursive: true });
  expect(await sumsOf(at(copy), made)).toEqual(before);
  expect(before.rows.trial).toMatch(/^1:/);
  expect(new Set(before.files).size).toBe(4);
}, 300_000);

describe.runIf(findPostgres())("a backup of PostgreSQL and a bucket", () => {
  it("restores all data from a dump and a copy of the bucket", async () => {
    const bin = findPostgres() ?? "";
    const postgres = await startPostgres(bin);
    closers.push(() => postgres.stop());
    const [bucket, fresh] = [await openBucket(), await openBucket()];
    closers.push(bucket.close, fresh.close);
    const place: Place = { database: { url: postgres.url }, dataDir: await folder(), storage: bucket.numbered };
    const made = await live(place);

    // docs/operations.md → Backup: the database first, then the bucket, so that every row has its bytes.
    const dump = join(await folder(), "product.dump");
    execFileSync(join(bin, "pg_dump"), ["--format=custom", `--file=${dump}`, `--dbname=${postgres.url}`]);
    const before = await sumsOf(place, made);
    await cp(bucket.directory, fresh.directory, { recursive: true });

    const url = new URL(postgres.url);
    url.pathname = "/restored";
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    await client.query("create database restored").finally(() => client.end());
    execFileSync(join(bin, "pg_restore"), ["--no-owner", "--exit-on-error", `--dbname=${url.href}`, dump]);
    const restored = { database: { url: url.href }, dataDir: await folder(), storage: fresh.numbered };
    expect(await sumsOf(restored, made)).toEqual(before);
    expect(before.rows.trial).toMatch(/^1:/);
  }, 300_000);
});
