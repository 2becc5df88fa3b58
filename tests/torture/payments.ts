/**
 * Runs two servers on one PostgreSQL and kills them (SIGKILL) at random points during orders, unusual payments,
 * refunds and generations; then lets the queue drain and checks the invariants. Needs Debian's PostgreSQL. Run
 * manually with optional seconds: `npx tsx tests/torture/payments.ts 60`. Exits with 1 on a violation.
 */
import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { openDatabase } from "~server/upstream/db/database";
import { type ApiResponse, type CashierAction, createTestBilling, md5, type Order } from "../support/billing";
import { findViolations } from "../support/ledger-invariants";
import { findPostgres, startPostgres } from "../support/postgres";

const seconds = Number(process.argv[2] ?? 60);
const payers = 8;
const script = fileURLToPath(new URL("payments-server.ts", import.meta.url));
const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)] as T;

interface Server {
  url: string | null;
  child: ChildProcess;
}

const bin = findPostgres();
if (!bin) {
  console.log("Skipped: no PostgreSQL under /usr/lib/postgresql (apt-get install postgresql).");
  process.exit(0);
}
const postgres = await startPostgres(bin);
const handle = await openDatabase({ url: postgres.url });
const setup = await createTestBilling(handle);

function start(): Server {
  const child = fork(script, { execArgv: ["--import", "tsx"], env: { ...process.env, DATABASE_URL: postgres.url } });
  const server: Server = { url: null, child };
  child.on("message", (message) => {
    server.url = `http://127.0.0.1:${(message as { port: number }).port}`;
  });
  return server;
}

const servers = [start(), start()];
const counts = { orders: 0, pulls: 0, refunds: 0, tasks: 0, lost: 0, kills: 0 };
const acknowledged = new Set<string>();
let isOver = false;

/** The answer, or null if the server died during the request. */
async function call<Data>(path: string, account: string, body?: object): Promise<ApiResponse<Data> | null> {
  const url = pick(servers.flatMap((server) => server.url ?? []));
  const headers = { token: account, "content-type": "application/json", "idempotency-key": randomUUID() };
  const init = body ? { method: "POST", body: JSON.stringify(body), headers } : { headers };
  const signal = AbortSignal.timeout(15_000);
  try {
    if (!url) throw new Error("starting");
    const response = await fetch(url + path, { ...init, signal });
    return { status: response.status, ...((await response.json()) as Omit<ApiResponse<Data>, "status">) };
  } catch {
    counts.lost++;
    await sleep(50);
    return null;
  }
}

const levers: CashierAction[] = ["pay", "pay", "pay", "duplicate", "double", "double", "fail", "tamper", "late"];
const people = Array.from({ length: payers }, () => randomUUID());

async function live(account: string) {
  while (!isOver) {
    const pCode = pick(["vip-month", "svip-month", "svip-year", "pack-1"]);
    const orders: Order[] = [];
    for (const platform of pick([[1], [2], [1, 2]])) {
      const answer = await call<Order>("/pay/order/qrcode", account, { pCode, sign: md5(pCode), platform });
      if (answer?.code !== 0) continue;
      counts.orders++;
      acknowledged.add(answer.data.orderId);
      orders.push(answer.data);
    }
    for (const { url } of orders) {
      const answer = await call("/sandbox/cashier", account, { id: url.split("/").at(-1), lever: pick(levers) });
      if (answer?.code === 0) counts.pulls++;
    }
    const [order] = orders;
    if (order) await call("/pay/result", account, { orderId: order.orderId, sign: order.sign });
    await spend(account);
    if (order && Math.random() < 0.15) {
      const refund = setup.operations.refund(order.orderId, Math.ceil(order.price / pick([1, 2, 3])));
      if (await refund.catch(() => null)) counts.refunds++;
    }
  }
}

async function spend(account: string) {
  const body = { accountId: account, taskId: randomUUID(), amount: pick([20, 500, 1500]), fails: Math.random() < 0.3 };
  if ((await call("/torture/task", account, body))?.code === 0) counts.tasks++;
}

async function murder() {
  while (!isOver) {
    await sleep(500 + Math.random() * 2500);
    const index = pick([0, 1]);
    const server = servers[index];
    if (!server?.url || !servers[1 - index]?.url) continue;
    server.child.kill("SIGKILL");
    counts.kills++;
    servers[index] = start();
  }
}

/** Advances the clock until no work is left: orders expire, delayed payments appear, jobs run. */
async function comeToRest() {
  while (!servers.every(({ url }) => url)) await sleep(100);
  for (let round = 0; round < 10; round++) {
    await sql`update pay_order set expires_at = now() where state = 'OPEN' and expires_at > now()`.execute(handle.db);
    await sql`update sandbox_trade set hidden_until = now() where hidden_until > now()`.execute(handle.db);
    await sql`update job set run_at = now() where state = 'ready' and kind <> 'pay-reconcile'`.execute(handle.db);
    const deadline = Date.now() + 30_000;
    while ((await dueJobs()) > 0 && Date.now() < deadline) await sleep(200);
  }
}

async function dueJobs(): Promise<number> {
  const { rows } = await sql<{ due: number }>`select count(*)::int as due from job
    where state = 'active' or (state = 'ready' and run_at <= now())`.execute(handle.db);
  return rows[0]?.due ?? 0;
}

async function check(): Promise<string[]> {
  // Injected task failures are expected; payment failures are not.
  await sql`delete from job where kind = 'torture-task' and state = 'failed'`.execute(handle.db);
  const faults = Object.entries(await findViolations(handle.db)).map(
    ([rule, rows]) => `${rule}: ${JSON.stringify(rows)}`,
  );
  const kept = await handle.db.selectFrom("pay_order").select("id").execute();
  const ids = new Set(kept.map(({ id }) => id));
  for (const id of acknowledged) if (!ids.has(id)) faults.push(`order ${id} was acknowledged and is gone`);
  const held = await handle.db
    .selectFrom("quota_reservation")
    .select("task_id")
    .where("state", "=", "reserved")
    .execute();
  if (held.length > 0) faults.push(`${held.length} tasks hold characters and run no more`);
  for (const account of people) {
    for (const path of ["/pay/orders?pageSize=100", "/users/ledger?pageSize=100", "/pay/product"]) {
      const answers = await Promise.all(servers.map(({ url }) => fetch(url + path, { headers: { token: account } })));
      const [one, other] = await Promise.all(answers.map((answer) => answer.text()));
      if (one !== other) faults.push(`two servers answer ${path} differently`);
    }
  }
  return faults;
}

while (!servers.every(({ url }) => url)) await sleep(100);
const ending = sleep(seconds * 1000).then(() => {
  isOver = true;
});
await Promise.all([ending, murder(), ...people.map(live)]);
await comeToRest();
const faults = await check();
console.log(`${seconds} s with two servers, one killed ${counts.kills} times:`, counts);
const states = await sql`select state, count(*)::int from pay_attempt group by state order by state`.execute(handle.db);
console.log("attempts by state:", states.rows);
console.log(faults.length === 0 ? "Every invariant holds." : `Violations:\n${faults.join("\n")}`);
for (const { child } of servers) child.kill("SIGKILL");
await handle.close();
await postgres.stop();
process.exit(faults.length === 0 ? 0 : 1);
