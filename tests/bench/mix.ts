import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Agent, request } from "undici";
import { bffPaths } from "~/call";
import { paths } from "~/paths";
import { freePort } from "../support/postgres";
import { type Product, startProduct } from "../support/product";
import { createFirstData } from "./first-data";
import { median, quantile } from "./quantile";
import { type Row, worstOf } from "./row";
import { createSiteMember, type SiteMember } from "./site-member";

const probe = pathToFileURL(fileURLToPath(new URL("server-probe.mjs", import.meta.url))).href;
const rounds = 3;
const perSecond = 50;
const phaseSeconds = 12;
const warmUpSeconds = 4;
const dubLines = 60;
/** The synthesis has begun and takes its cores. */
const dubStartMs = 2_000;
const p95MaxMs = 100;
const delayMaxMs = 20;

interface Site {
  product: Product;
  dispatcher: Agent;
  member: SiteMember;
  /** Event-loop delay of the server since the last call. */
  delayP99(): Promise<number>;
}

/** Pages and calls, in turn; `isMember` sends the member's cookie. */
const asked: { name: string; path: string; isMember: boolean }[] = [
  { name: "home, visitor", path: paths.home, isMember: false },
  { name: "square, visitor", path: paths.square, isMember: false },
  { name: "home, member", path: paths.home, isMember: true },
  { name: "clone, member", path: paths.clone, isMember: true },
  { name: "dubbing, member", path: paths.dubbing, isMember: true },
  { name: "account", path: bffPaths.account, isMember: true },
  { name: "clones", path: bffPaths.clones, isMember: true },
  { name: "voices of the square", path: bffPaths.squareVoices, isMember: true },
];

/** Sends requests at a fixed rate, whether earlier ones are answered or not. Returns milliseconds by name. */
async function load({ product, dispatcher, member }: Site, seconds: number): Promise<Map<string, number[]>> {
  const times = new Map(asked.map(({ name }) => [name, [] as number[]]));
  const send = async (number: number) => {
    const { name, path, isMember } = asked[number % asked.length] as (typeof asked)[number];
    const startedAt = performance.now();
    const headers = isMember ? { cookie: member.cookie } : {};
    const answer = await request(product.url + path, { dispatcher, headers });
    await answer.body.dump({ limit: Number.POSITIVE_INFINITY });
    if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}`);
    times.get(name)?.push(performance.now() - startedAt);
  };
  const startedAt = performance.now();
  const sent: Promise<void>[] = [];
  for (let number = 0; number < seconds * perSecond; number++) {
    await sleep(Math.max(0, startedAt + (number * 1000) / perSecond - performance.now()));
    sent.push(send(number));
  }
  await Promise.all(sent);
  return times;
}

interface Phase {
  p95: Map<string, number>;
  delayP99: number;
}

async function measurePhase(site: Site): Promise<Phase> {
  await site.delayP99();
  const times = await load(site, phaseSeconds);
  return {
    p95: new Map([...times].map(([name, all]) => [name, quantile(all, 0.95)])),
    delayP99: await site.delayP99(),
  };
}

/** Two dubs of new text, longer than a phase: no line comes from the cache of segments. */
async function startDubs({ member }: Site, round: number): Promise<string[]> {
  const content = (line: string) =>
    `第${line}行，今天的气温是${line}度，非常适合出门散步。小李带着他的相机，准备拍${line}张照片，发给远在上海的朋友们看。`;
  const create = async (dub: number) => {
    const lines = Array.from({ length: dubLines }, (_, line) => ({
      content: content(`${round}${dub}${line}`).repeat(2),
      roleId: "shen-yan",
    }));
    const request = { title: "bench", lines, format: "mp3" };
    return (await member.post<{ dub: { taskId: string } }>(bffPaths.dubs, request)).dub.taskId;
  };
  return [await create(1), await create(2)];
}

const cancel = ({ member }: Site, taskId: string) => member.post(bffPaths.passed("taskCancel"), { taskId });

const toRows = (label: string, phases: readonly Phase[]): Row[] =>
  asked.map(({ name }) => ({
    name: `p95 ${label}: ${name}`,
    value: median(phases.map(({ p95 }) => p95.get(name) ?? Number.NaN)),
    unit: "ms",
    where: name,
  }));

/** Pages and calls at a fixed rate, on an idle server and while the built-in engine makes two dubs. */
export async function benchMix(): Promise<Row[]> {
  const data = await createFirstData();
  const [probePort, dispatcher] = [await freePort(), new Agent({ connections: 32 })];
  const env = { DATA_DIR: data.directory, NODE_OPTIONS: `--import=${probe}`, PROBE_PORT: String(probePort) };
  const product = await startProduct(env);
  try {
    const member = await createSiteMember(product.url, "13800138001");
    const delayP99 = async () => {
      const answer = await fetch(`http://127.0.0.1:${probePort}`);
      return ((await answer.json()) as { p99: number }).p99;
    };
    const site: Site = { product, dispatcher, member, delayP99 };
    await load(site, warmUpSeconds);
    const [idle, busy]: [Phase[], Phase[]] = [[], []];
    for (let round = 1; round <= rounds; round++) {
      idle.push(await measurePhase(site));
      const dubs = await startDubs(site, round);
      await sleep(dubStartMs);
      busy.push(await measurePhase(site));
      for (const id of dubs) await cancel(site, id);
      await sleep(dubStartMs);
    }
    const rows = toRows("idle", idle);
    const budget = `≤ ${p95MaxMs} ms`;
    const delayOf = (phases: readonly Phase[]) => median(phases.map((phase) => phase.delayP99));
    return [
      ...rows,
      ...toRows("while two dubs are made", busy),
      worstOf(rows, { name: `${perSecond} requests/s: highest p95`, budget, which: "highest" }),
      { name: "event-loop delay p99, idle", value: delayOf(idle), unit: "ms" },
      {
        name: `${perSecond} requests/s and two dubs: event-loop delay p99`,
        value: delayOf(busy),
        unit: "ms",
        budget: `≤ ${delayMaxMs} ms`,
      },
    ];
  } finally {
    await dispatcher.close();
    await product.stop();
    data.remove();
  }
}
