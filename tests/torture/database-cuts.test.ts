import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { CallData } from "~server/contract/calls/table";
import { LoadMember } from "../support/database-load";
import { findPostgres, startPostgres, type TestPostgres } from "../support/postgres";
import { type Product, startProduct } from "../support/product";

const packCharacters = 60_000;
/** Failures are allowed for this long after the database answers again. */
const recoveryMs = 2_000;
const answersEnough = 40;

// Processes of the real build under load: one api, one worker, one PostgreSQL.
describe.runIf(findPostgres() && existsSync("build/server/index.js"))("servers whose database ends connections", () => {
  let postgres: TestPostgres;
  let dataDir: string;
  let api: Product;
  let worker: Product;
  let members: LoadMember[];

  const operate = async (text: string, values: unknown[] = []) => {
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    return client.query(text, values).finally(() => client.end());
  };
  /** Ends connections of a server; returns their number. */
  const terminate = async (server: string, condition: string) =>
    (
      await operate(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and ${condition}`,
        [server],
      )
    ).rows.length;

  beforeAll(async () => {
    postgres = await startPostgres(findPostgres() ?? "");
    dataDir = mkdtempSync(join(tmpdir(), "database-cuts-"));
    const env = { DATABASE_URL: postgres.url, DATA_DIR: dataDir, DATA_KEY: "one-key-for-all-the-servers-of-a-test" };
    api = await startProduct({ ...env, ROLE: "api", PGAPPNAME: "api", TRUSTED_PROXIES: "127.0.0.1 ::1" });
    worker = await startProduct({ ...env, ROLE: "worker", PGAPPNAME: "worker" });
    // The previews of the square would keep the worker busy for minutes.
    await operate("delete from job where kind = 'preview' and state = 'ready'");
    members = ["13500000001", "13500000002", "13500000003"].map((phone) => new LoadMember(api.url, phone));
    const { rows } = await operate("select id from role where design is not null order by id limit 1");
    for (const member of members) {
      await member.logIn();
      await member.buy("vip-month");
      member.start(rows[0].id);
    }
  });
  afterAll(async () => {
    for (const member of members ?? []) member.leave();
    await worker?.stop("SIGKILL");
    await api?.stop("SIGKILL");
    await postgres?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const answers = () => members.flatMap((member) => member.answers);
  const expectRecovery = async () => {
    const recoveredAt = performance.now() + recoveryMs;
    const later = () => answers().filter(({ begunAt }) => begunAt > recoveredAt);
    await vi.waitFor(() => expect(later().length).toBeGreaterThan(answersEnough), { timeout: 60_000, interval: 100 });
    expect([api.process.exitCode, worker.process.exitCode]).toEqual([null, null]);
    expect(new Set(later().map(({ status }) => status))).toEqual(new Set([200]));
  };
  const terminateSome = (server: string, condition: string) =>
    vi.waitFor(async () => expect(await terminate(server, condition)).toBeGreaterThan(0), {
      timeout: 60_000,
      interval: 1,
    });

  it.each([
    ["idle", "state = 'idle'"],
    ["idle in a transaction", "state = 'idle in transaction'"],
    ["idle in a transaction again", "state = 'idle in transaction'"],
    ["in any state", "true"],
  ])("recover within two seconds when connections end that are %s", async (_, condition) => {
    for (const server of ["api", "worker"]) await terminateSome(server, condition);
    await expectRecovery();
  });

  it.each([1, 2])("recover within two seconds when the database has crashed and starts, time %i", async () => {
    const readiness = async () => (await fetch(`${api.url}/readyz`)).status;
    expect(await readiness()).toBe(200);
    await postgres.crash();
    expect(await readiness()).toBe(503);
    await postgres.start();
    await expectRecovery();
    expect(await readiness()).toBe(200);
  });

  it("have lost nothing that they confirmed, did nothing twice, and failed without details", async () => {
    for (const member of members) await member.stop();
    for (const member of members) {
      const listed = await listAll(member);
      expect(listed.map(({ voiceId }) => voiceId).sort()).toEqual([...member.clones].sort());
      expect(listed.filter(({ status }) => status !== 2)).toEqual([]);
      for (const { voiceUrl } of listed) expect((await member.send(voiceUrl.replace("/api/v1", ""))).status).toBe(200);
      const { data } = await member.get<CallData<"userInfo">>("/users/info");
      const spent = listed.reduce((sum, { costChar }) => sum + costChar, 0);
      expect(data.quota?.vip.used).toBe(spent);
      expect(data.quota?.pack.total).toBe(packCharacters * (member.paidOrders.length - 1));
      expect(new Set(member.paidOrders).size).toBe(member.paidOrders.length);
      await expect.poll(() => listed.filter(({ voiceId }) => !member.doneByEvents.has(voiceId))).toEqual([]);
    }
    const failures = answers().filter(({ status }) => status !== 200);
    expect(new Set(failures.map(({ status }) => status))).toEqual(new Set([503]));
    for (const { text } of failures)
      expect(JSON.parse(text)).toEqual({
        code: 7,
        msg: "network",
        data: { reason: "network", requestId: expect.any(String) },
      });
  });
});

/** All clones, once none is running. */
async function listAll(member: LoadMember) {
  type CloneList = CallData<"cloneList">;
  return vi.waitFor(
    async () => {
      const found: CloneList["list"] = [];
      for (let page = 1, total = 1; found.length < total; page++) {
        const { data } = await member.get<CloneList>(`/voice/list?page=${page}&pageSize=100`);
        found.push(...data.list);
        total = data.total;
      }
      expect(found.filter(({ status }) => status === 1)).toEqual([]);
      return found;
    },
    { timeout: 240_000, interval: 500 },
  );
}
