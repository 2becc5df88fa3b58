import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { bffPaths } from "~/call";
import type { CallData } from "~server/contract/calls/table";
import { consentStatementId } from "~server/contract/consent";
import { createQueue } from "~server/upstream/jobs/queue";
import { createTakedowns } from "~server/upstream/voices/takedowns";
import { type Browser, logInAs, openBrowser } from "../support/browser";
import { testEngines } from "../support/database";
import { forkWorker } from "../support/forked-worker";
import { createMember } from "../support/member";
import { findPostgres, startPostgres } from "../support/postgres";
import { type Product, startProduct } from "../support/product";
import { bytesOnDisk as bytesInStore, bytesSince, postRole, voiceConsent, waitForRole } from "../support/role";
import { speechLike } from "../support/sounds";
import { bytesOnDisk } from "../support/stored-bytes";
import { uploadVoice } from "../support/trial";
import { openTestUpstream, recordingForm, type TestUpstream } from "../support/upstream";

type Receipt = CallData<"roleRevoke">;
type Role = CallData<"roleList">["list"][number];

const secret = "one-secret-for-all-the-servers-of-a-test";
const lockId = 41;

/** From now on no row of a file is deleted while this session holds the lock. */
async function holdDeletions(database: pg.Client): Promise<void> {
  await database.query(`create or replace function wait_for_test() returns trigger language plpgsql as
    'begin perform pg_advisory_xact_lock(${lockId}); return old; end'`);
  await database.query(
    "create or replace trigger wait_for_test before delete on media_file for each row execute function wait_for_test()",
  );
  await database.query("select pg_advisory_lock($1)", [lockId]);
}

/** The worker waits behind the first file. */
const waitForHeldDeletion = (database: pg.Client) =>
  vi.waitFor(
    async () => {
      const { rows } = await database.query(
        "select 1 from pg_locks where locktype = 'advisory' and objid = $1 and not granted",
        [lockId],
      );
      expect(rows.length).toBeGreaterThan(0);
    },
    { timeout: 60_000, interval: 100 },
  );

// A real server process of the build, killed between the commit and the deletion of the bytes.
describe.runIf(findPostgres() && existsSync("build/server/index.js"))(
  "a server that is killed while a voice is erased",
  () => {
    let postgres: Awaited<ReturnType<typeof startPostgres>>;
    let database: pg.Client;
    let dataDir: string;
    let server: Product;
    let browser: Browser;
    let env: Record<string, string>;
    const countJobs = async () =>
      Number(
        (await database.query("select count(*) from job where kind = 'preview' and state in ('ready', 'active')"))
          .rows[0].count,
      );
    beforeAll(async () => {
      postgres = await startPostgres(findPostgres() ?? "");
      dataDir = mkdtempSync(join(tmpdir(), "erasure-kill-"));
      env = { DATABASE_URL: postgres.url, DATA_KEY: secret, SESSION_SECRET: `${secret}-2`, DATA_DIR: dataDir };
      server = await startProduct(env);
      database = new pg.Client({ connectionString: postgres.url });
      await database.connect();
      // The previews of the square keep a new server busy.
      await vi.waitFor(async () => expect(await countJobs()).toBe(0), { timeout: 400_000, interval: 1000 });
      browser = await openBrowser(server.url);
      await logInAs(browser, server.url);
    }, 500_000);
    afterAll(async () => {
      browser?.close();
      await database?.end();
      await server?.stop("SIGKILL");
      await postgres?.stop();
      rmSync(dataDir, { recursive: true, force: true });
    });
    beforeEach(() => database.query("select pg_advisory_unlock_all()"));

    const ops = async (...args: string[]) => {
      const options = { env: { ...env, PATH: process.env.PATH ?? "", NODE_ENV: "production" as const } };
      return (await promisify(execFile)(process.execPath, ["build/server/ops.js", ...args], options)).stdout;
    };
    const files = () => bytesOnDisk(dataDir).keys();
    const createRole = async (seed: number) => {
      const before = await files();
      const { voicePath } = await browser.post<{ voicePath: string }>(
        server.url + bffPaths.upload("recordingUpload"),
        recordingForm(speechLike({ seconds: 9, seed })),
      );
      const consent = { statementId: consentStatementId };
      const role = await browser.post<Role>(server.url + bffPaths.passed("roleCreate"), {
        name: "阿明",
        voicePath,
        consent,
      });
      await vi.waitFor(
        async () => {
          const found = await browser.get(`${server.url}${bffPaths.rolePage(`?id=${role.roleId}`)}`);
          expect(((await found.json()) as { view: { role: Role } }).view.role.status).toBe(2);
        },
        { timeout: 300_000, interval: 300 },
      );
      return { roleId: role.roleId, made: (await files()).filter((key) => !before.includes(key)) };
    };
    const killAndRestart = async () => {
      await server.stop("SIGKILL");
      await database.query("select pg_advisory_unlock_all()");
      server = await startProduct(env);
    };
    const left = async (made: string[]) => (await files()).filter((key) => made.includes(key));
    const verify = async (receipt: object) => {
      const form = new FormData();
      form.append("file", new Blob([JSON.stringify(receipt)]), "receipt.json");
      return (await browser.post<CallData<"verify">>(server.url + bffPaths.upload("verify"), form)).receipt;
    };

    it("deletes the bytes of a revoked voice after its restart, and confirms the receipt that was given", async () => {
      const { roleId, made } = await createRole(4);
      expect(made.length).toBeGreaterThan(1);
      await holdDeletions(database);
      const receipt = await browser.post<Receipt>(server.url + bffPaths.passed("roleRevoke"), { roleId });
      await waitForHeldDeletion(database);
      expect((await left(made)).length).toBeGreaterThan(0);
      expect(await verify(receipt)).toMatchObject({ signature: "valid", isErased: false });
      await killAndRestart();
      await expect.poll(() => left(made), { timeout: 120_000, interval: 200 }).toEqual([]);
      await expect
        .poll(() => verify(receipt), { timeout: 60_000, interval: 5_000 })
        .toMatchObject({ signature: "valid", isErased: true });
    }, 700_000);

    it("does the same for a voice that the takedown command erased, which stays blocked until it is lifted", async () => {
      const { roleId, made } = await createRole(5);
      await holdDeletions(database);
      expect(await ops("takedown", roleId, "--reason", "complaint 7", "--operator", "li")).toContain("is queued");
      await waitForHeldDeletion(database);
      expect((await left(made)).length).toBeGreaterThan(0);
      await killAndRestart();
      await expect.poll(() => left(made), { timeout: 120_000, interval: 200 }).toEqual([]);
      const [takedown] = JSON.parse(await ops("takedown", "list", "--json")) as Array<Record<string, unknown>>;
      expect(takedown).toMatchObject({ roleId, state: "blocking", operator: "li", reason: "complaint 7" });
      const again = () =>
        browser.post(
          server.url + bffPaths.upload("recordingUpload"),
          recordingForm(speechLike({ seconds: 9, seed: 5 })),
        );
      await expect(again()).rejects.toThrow("voice-blocked");
      const lifted = await ops(
        "takedown",
        "lift",
        String(takedown?.takedownId),
        "--reason",
        "a mistake",
        "--operator",
        "li",
      );
      expect(lifted).toContain("blocks no voice any more");
      await expect(again()).resolves.toBeDefined();
      expect(await ops("takedown", "list")).toMatch(/lifted/);
    }, 700_000);
  },
);

/** A separate session on the test's database. */
async function connectTo(upstream: TestUpstream): Promise<pg.Client> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(upstream.database());
  const url = new URL(String(process.env.TEST_DATABASE_URL));
  url.pathname = `/${rows[0]?.name}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  return client;
}

describe.runIf(testEngines.includes("postgres"))("a worker process that is killed while a voice is erased", () => {
  it.each(["revocation", "takedown"])("leaves no bytes after a %s once another worker runs", async (how) => {
    const upstream = await openTestUpstream("postgres");
    const database = await connectTo(upstream);
    try {
      const before = await bytesInStore(upstream);
      const worker = await forkWorker(upstream);
      const member = await createMember(upstream);
      const voicePath = await uploadVoice(member);
      const { roleId } = (await postRole(member, { name: "a", voicePath, consent: voiceConsent })).data;
      await waitForRole(member, roleId);
      expect((await bytesSince(upstream, before)).length).toBeGreaterThan(1);
      await holdDeletions(database);
      const db = upstream.database();
      if (how === "revocation") expect((await member.post("/voice/role/revoke", { roleId })).code).toBe(0);
      else
        await createTakedowns({ db, queue: createQueue() }, { operator: "li", reason: "complaint 7" }).request(roleId);
      await waitForHeldDeletion(database);
      worker.kill("SIGKILL");
      await once(worker, "exit");
      expect((await bytesSince(upstream, before)).length).toBeGreaterThan(0);
      const receipts = () => db.selectFrom("voice_revocation").select(["erased_at as erasedAt"]).execute();
      expect(await receipts()).toEqual([{ erasedAt: null }]);
      await database.query("select pg_advisory_unlock_all()");
      await forkWorker(upstream);
      await expect.poll(() => bytesSince(upstream, before), { timeout: 60_000, interval: 100 }).toEqual([]);
      await expect.poll(receipts, { timeout: 60_000 }).toEqual([{ erasedAt: expect.any(Date) }]);
    } finally {
      await database.end();
      await upstream.close();
    }
  });
});
