import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createSessions } from "~server/bff/session.server";
import { paths } from "../../app/paths";
import type { Product } from "../support/product";
import { createOwnRecords } from "./own-records";
import { childrenProcessorMs, processorMs } from "./processor";
import { median } from "./quantile";
import type { Row } from "./row";

/** Sessions of the benchmark's product are sealed with it. */
export const benchSecret = "a-session-secret-for-the-benchmark-only";

const rounds = 5;
const roundMs = 900;
const warmUpMs = 1_500;

type Server = Pick<Product, "url" | "process">;

interface Subject {
  name: string;
  path: string;
  headers?: Record<string, string>;
  /** Each request has its own query, so that no cached render can answer it. */
  isDistinct?: boolean;
  /** The least ratio to the bare page. */
  goal?: number;
}

interface Loaded {
  answers: number;
  bytes: number;
  seconds: number;
}

const goals: Subject[] = [
  { name: "visitor, cached render: terms", path: paths.service, goal: 1 },
  { name: "visitor, cached render: home", path: paths.home, goal: 1 },
  { name: "visitor, cached render: square", path: paths.square, goal: 1 },
  { name: "visitor, cached render, Brotli: home", path: paths.home, headers: { "accept-encoding": "gzip, br" } },
  { name: "visitor, rendered: terms", path: paths.service, isDistinct: true, goal: 0.15 },
  { name: "visitor, rendered: home", path: paths.home, isDistinct: true, goal: 0.15 },
  { name: "visitor, rendered: square", path: paths.square, isDistinct: true, goal: 0.15 },
];

const memberGoals: Subject[] = [
  { name: "member: home", path: paths.home, goal: 0.12 },
  { name: "member: clone", path: paths.clone, goal: 0.12 },
  { name: "member: role", path: paths.role, goal: 0.12 },
  { name: "member: dubbing", path: paths.dubbing, goal: 0.12 },
];

function startLoader() {
  const child = fork(fileURLToPath(new URL("load.mjs", import.meta.url)));
  const load = async (server: Server, { path, headers = {}, isDistinct = false }: Subject, ms: number) => {
    const before = processorMs(server);
    child.send({ url: server.url + path, headers, isDistinct, ms });
    const [answer] = (await once(child, "message")) as [Loaded & { error?: string }];
    if (answer.error) throw new Error(answer.error);
    const { answers, bytes, seconds } = answer;
    return { perSecond: answers / seconds, cpuMs: (processorMs(server) - before) / answers, bytes: bytes / answers };
  };
  return { load, stop: () => child.kill() };
}
type Loader = ReturnType<typeof startLoader>;

const bareSubject: Subject = { name: "bare page", path: "/" };

/** Loads the bare page and the subject in turn; medians over the rounds. */
async function compare({ load }: Loader, bare: Server, product: Server, subject: Subject) {
  await load(product, subject, warmUpMs);
  const seen = [];
  for (let round = 0; round < rounds; round++) {
    const baseline = await load(bare, bareSubject, roundMs);
    const page = await load(product, subject, roundMs);
    const byRate = page.perSecond / baseline.perSecond;
    seen.push({ baseline, page, byRate, byProcessor: baseline.cpuMs / page.cpuMs });
  }
  return {
    perSecond: median(seen.map(({ page }) => page.perSecond)),
    cpuMs: median(seen.map(({ page }) => page.cpuMs)),
    bareCpuMs: median(seen.map(({ baseline }) => baseline.cpuMs)),
    barePerSecond: median(seen.map(({ baseline }) => baseline.perSecond)),
    byRate: median(seen.map(({ byRate }) => byRate)),
    byProcessor: median(seen.map(({ byProcessor }) => byProcessor)),
  };
}

/** A member with roles and records, as request headers. */
async function openMember(product: Product): Promise<Record<string, string>> {
  const session = await createSessions({ secrets: [benchSecret] }).open(null, true);
  session.logIn(await createOwnRecords(product));
  return { cookie: (await session.setCookie())?.split(";")[0] ?? "" };
}

const idleCheckMs = 2_000;
const idleLimitMs = 180_000;

/** Waits for the first start's own work, the preview sounds and the member's records: their time is no page's. */
async function waitUntilIdle(product: Product) {
  const deadline = Date.now() + idleLimitMs;
  for (let before = 0; Date.now() < deadline; ) {
    await sleep(idleCheckMs);
    const now = processorMs(product) + childrenProcessorMs(product);
    if (now - before < idleCheckMs / 20) return;
    before = now;
  }
  throw new Error("the product did not come to rest");
}

async function htmlBytes(product: Product, path: string): Promise<number> {
  const answer = await fetch(product.url + path, { headers: { "accept-encoding": "identity" } });
  return (await answer.arrayBuffer()).byteLength;
}

/** Measures requests per second and processor time of pages beside a bare page of the same stack, 8 connections. */
export async function measurePageRates(bare: Server, product: Product): Promise<Row[]> {
  const rows: Row[] = [
    { name: "HTML of home", value: (await htmlBytes(product, paths.home)) / 1000, unit: "kB" },
    {
      name: "HTML of square",
      value: (await htmlBytes(product, paths.square)) / 1000,
      unit: "kB",
    },
  ];
  const loader = startLoader();
  try {
    await loader.load(bare, bareSubject, 2 * warmUpMs);
    const headers = await openMember(product);
    await waitUntilIdle(product);
    const subjects = [...goals, ...memberGoals.map((subject) => ({ ...subject, headers }))];
    for (const subject of subjects) {
      const { name, goal } = subject;
      const found = await compare(loader, bare, product, subject);
      const reference = goal === undefined ? {} : { reference: `≥ ${goal}` };
      const beside = `bare ${Math.round(found.barePerSecond)} /s`;
      rows.push(
        { name, value: found.perSecond, unit: "/s", reference: beside },
        { name: `${name}, ÷ bare by rate`, value: found.byRate, unit: "", ...reference },
        {
          name: `${name}, processor time`,
          value: found.cpuMs,
          unit: "ms",
          reference: `bare ${found.bareCpuMs.toFixed(2)} ms`,
        },
        { name: `${name}, ÷ bare by processor time`, value: found.byProcessor, unit: "", ...reference },
      );
    }
    return rows;
  } finally {
    loader.stop();
  }
}
