import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createSessions } from "~server/bff/session.server";
import { paths } from "../../app/paths";
import { type Product, startProduct } from "../support/product";
import { startBarePage } from "./bare-page";
import { createOwnRecords } from "./own-records";
import { childrenProcessorMs, processorMs } from "./processor";
import { median } from "./quantile";
import { type Row, worstOf } from "./row";

/** Sessions of the benchmark's product are sealed with it. */
const benchSecret = "a-session-secret-for-the-benchmark-only";

const rounds = 5;
const roundMs = 900;
const warmUpMs = 1_500;

type Server = Pick<Product, "url" | "process">;

type Kind = "cached" | "rendered" | "members";

interface Subject {
  name: string;
  path: string;
  kind: Kind;
  headers?: Record<string, string>;
}

interface Loaded {
  answers: number;
  seconds: number;
}

/** The least ratios to the bare page. */
const budgets: Record<Kind, { name: string; least: number }> = {
  cached: { name: "visitors' pages from the cache ÷ bare page, lowest", least: 1 },
  rendered: { name: "visitors' pages rendered ÷ bare page, lowest", least: 0.15 },
  members: { name: "members' pages ÷ bare page, lowest", least: 0.12 },
};

const visitorPages = { terms: paths.service, home: paths.home, square: paths.square };
const memberPages = { home: paths.home, clone: paths.clone, role: paths.role, dubbing: paths.dubbing };
const toSubjects = (pages: Record<string, string>, kind: Kind, headers = {}): Subject[] =>
  Object.entries(pages).map(([name, path]) => ({ name: `${kind}: ${name}`, path, kind, headers }));

function startLoader() {
  const child = fork(fileURLToPath(new URL("load.mjs", import.meta.url)));
  const load = async (server: Server, { path, headers = {}, kind }: Omit<Subject, "name">, ms: number) => {
    // Each request of a rendered page has its own query, so that no cached render can answer it.
    child.send({ url: server.url + path, headers, isDistinct: kind === "rendered", ms });
    const [answer] = (await once(child, "message")) as [Loaded & { error?: string }];
    if (answer.error) throw new Error(answer.error);
    return answer.answers / answer.seconds;
  };
  return { load, stop: () => child.kill() };
}
type Loader = ReturnType<typeof startLoader>;

const barePage = { path: "/", kind: "cached" } as const;

/** Loads the bare page and the subject in turn; the median of the rounds' ratios. */
async function compare({ load }: Loader, bare: Server, product: Server, subject: Subject) {
  await load(product, subject, warmUpMs);
  const seen: { baseline: number; page: number; ratio: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const baseline = await load(bare, barePage, roundMs);
    const page = await load(product, subject, roundMs);
    seen.push({ baseline, page, ratio: page / baseline });
  }
  const of = (key: "baseline" | "page" | "ratio") => median(seen.map((one) => one[key]));
  return { perSecond: of("page"), barePerSecond: of("baseline"), ratio: of("ratio") };
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

/** Measures requests per second of pages beside a bare page of the same stack, 8 connections. */
export async function benchPages(): Promise<Row[]> {
  const bare = await startBarePage();
  const product = await startProduct({ SESSION_SECRET: benchSecret });
  const loader = startLoader();
  try {
    await loader.load(bare, barePage, 2 * warmUpMs);
    const member = await openMember(product);
    await waitUntilIdle(product);
    const subjects = [
      ...toSubjects(visitorPages, "cached"),
      ...toSubjects(visitorPages, "rendered"),
      ...toSubjects(memberPages, "members", member),
    ];
    const rows: Row[] = [];
    const summary: Row[] = [];
    for (const kind of Object.keys(budgets) as Kind[]) {
      const ratios: Row[] = [];
      for (const subject of subjects.filter((one) => one.kind === kind)) {
        const { perSecond, barePerSecond, ratio } = await compare(loader, bare, product, subject);
        rows.push({ name: subject.name, value: perSecond, unit: "/s", beside: `bare ${Math.round(barePerSecond)} /s` });
        ratios.push({ name: subject.name.replace(/.*: /, ""), value: ratio, unit: "×" });
      }
      const { name, least } = budgets[kind];
      summary.push(worstOf(ratios, { name, budget: `≥ ${least} ×`, which: "lowest" }));
    }
    return [...rows, ...summary];
  } finally {
    loader.stop();
    await product.stop();
    await bare.stop();
  }
}
