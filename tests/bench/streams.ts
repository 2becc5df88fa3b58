import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { Agent, request } from "undici";
import { createSessions } from "~server/bff/session.server";
import { hashOf } from "~server/upstream/accounts/credentials";
import { connectDatabase, type DatabaseHandle } from "~server/upstream/db/database";
import { findPostgres, startPostgres } from "../support/postgres";
import { type Product, startProduct } from "../support/product";
import { processorMs } from "./processor";
import type { Row } from "./row";

const secret = "a-session-secret-for-the-benchmark-only";
const streams = 2000;
/** Longer than a heartbeat, which is 15 s. */
const idleSeconds = 20;
const deliveries = 5;
const opening = 50;
/** For the garbage of the opening. */
const settleMs = 5000;

/** 2,000 members' event streams through one web and one api process on PostgreSQL. Linux only. */
export async function benchStreams(): Promise<Row[]> {
  const bin = findPostgres();
  if (!bin) {
    console.log("Skipped: no PostgreSQL under /usr/lib/postgresql.");
    return [];
  }
  const postgres = await startPostgres(bin);
  const api = await startProduct({ ROLE: "api", DATABASE_URL: postgres.url });
  const web = await startProduct({ ROLE: "web", API_BASE_URL: api.url, SESSION_SECRET: secret });
  const handle = await connectDatabase({ url: postgres.url });
  const agent = new Agent({ connections: null, headersTimeout: 60_000, bodyTimeout: 0 });
  try {
    return await measure({ web, api, handle, agent });
  } finally {
    await agent.destroy();
    await handle.close();
    await web.stop("SIGKILL");
    await api.stop("SIGKILL");
    await postgres.stop();
  }
}

interface Parts {
  web: Product;
  api: Product;
  handle: DatabaseHandle;
  agent: Agent;
}

/** Resources that a process holds and has used. */
const stateOf = (product: Product) => ({
  kilobytes: residentKilobytes(product),
  files: openFiles(product),
  ms: processorMs(product),
});
type State = ReturnType<typeof stateOf>;

async function measure({ web, api, handle: { db }, agent }: Parts): Promise<Row[]> {
  await insertAccounts(db);
  const states = () => ({ web: stateOf(web), api: stateOf(api) });
  const received = new Map<string, number>();
  let arrived = () => {};
  const onEvent = (task: string) => {
    received.set(task, performance.now());
    if (received.size === streams) arrived();
  };
  const empty = states();
  await sleep(idleSeconds * 1000);
  const before = states();
  for (let from = 0; from < streams; from += opening)
    await Promise.all(Array.from({ length: opening }, (_, i) => openStream(web, agent, from + i, onEvent)));
  await sleep(settleMs);
  const opened = states();
  await sleep(idleSeconds * 1000);
  const idle = states();
  const delays: number[] = [];
  for (let round = 0; round < deliveries; round++) {
    received.clear();
    const all = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    await publishToAll(db, round);
    const publishedAt = performance.now();
    await all;
    delays.push(...[...received.values()].map((at) => at - publishedAt));
  }
  const delivered = states();
  delays.sort((a, b) => a - b);
  const ms = (share: number) => delays[Math.floor((delays.length - 1) * share)] ?? 0;
  return [
    { name: "event streams open at once", value: received.size, unit: "", beside: `≥ ${streams}` },
    { name: "an event to each of them, p50", value: ms(0.5), unit: "ms" },
    {
      name: "an event to each of them, p95",
      value: ms(0.95),
      unit: "ms",
      beside: "the database is polled every 400 ms",
    },
    ...(["web", "api"] as const).flatMap((name) =>
      rowsOf(name, {
        empty: empty[name],
        before: before[name],
        opened: opened[name],
        idle: idle[name],
        delivered: delivered[name],
      }),
    ),
  ];
}

function rowsOf(name: string, at: Record<"empty" | "before" | "opened" | "idle" | "delivered", State>): Row[] {
  const perStream = (from: State, to: State) => (to.ms - from.ms) / streams;
  const ofCore = (from: State, to: State) => (to.ms - from.ms) / idleSeconds / 10;
  return [
    {
      name: `${name}: memory`,
      value: at.opened.kilobytes / 1024,
      unit: "MB",
      beside: `${(at.before.kilobytes / 1024).toFixed(0)} MB without streams`,
    },
    { name: `${name}: memory of a stream`, value: (at.opened.kilobytes - at.before.kilobytes) / streams, unit: "kB" },
    { name: `${name}: file descriptors of a stream`, value: (at.opened.files - at.before.files) / streams, unit: "" },
    { name: `${name}: processor time to open a stream`, value: perStream(at.before, at.opened), unit: "ms" },
    {
      name: `${name}: of one core while nothing happens`,
      value: ofCore(at.opened, at.idle),
      unit: "%",
      beside: `${ofCore(at.empty, at.before).toFixed(2)} % without streams`,
    },
    {
      name: `${name}: processor time of an event to one stream`,
      value: perStream(at.idle, at.delivered) / deliveries,
      unit: "ms",
    },
  ];
}

const accountOf = (number: number) => sql`md5('account' || ${number}::int)::uuid`;

async function insertAccounts(db: DatabaseHandle["db"]) {
  await sql`insert into account (id, phone_hash, phone_sealed)
    select md5('account' || n)::uuid, 'phone' || n, '' from generate_series(0, ${streams - 1}::int) n`.execute(db);
  for (let number = 0; number < streams; number++) {
    await sql`insert into login_token (hash, account_id, expires_at)
      values (${hashOf(`token${number}`)}, ${accountOf(number)}, now() + interval '1 day')`.execute(db);
  }
}

async function publishToAll(db: DatabaseHandle["db"], round: number) {
  await sql`insert into task_event (owner, data)
    select 'account:' || md5('account' || n)::uuid,
      jsonb_build_object('taskId', ${`${round}-`}::text || n, 'kind', 'clone', 'status', 1, 'progress', 0.5)
    from generate_series(0, ${streams - 1}::int) n`.execute(db);
}

/** Resolves with the response's headers; `onEvent` gets the task of every event. */
async function openStream({ url }: Product, agent: Agent, number: number, onEvent: (task: string) => void) {
  const session = await createSessions({ secrets: [secret] }).open(null, true);
  session.logIn(`token${number}`);
  const cookie = (await session.setCookie())?.split(";")[0] ?? "";
  const answer = await request(`${url}/bff/events`, { headers: { cookie }, dispatcher: agent });
  if (answer.statusCode !== 200) throw new Error(`an event stream answered ${answer.statusCode}`);
  answer.body.on("error", () => {});
  answer.body.on("data", (bytes: Buffer) => {
    const text = bytes.toString();
    if (text.includes("event: refusal")) throw new Error(text);
    const task = /"taskId":"([^"]+)"/.exec(text)?.[1];
    if (task) onEvent(task);
  });
}

const residentKilobytes = ({ process: { pid } }: Product) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);

const openFiles = ({ process: { pid } }: Product) => readdirSync(`/proc/${pid}/fd`).length;
