import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Agent, request } from "undici";
import { bffPaths } from "~/call";
import { freePort } from "../support/postgres";
import { type Product, startProduct } from "../support/product";
import { createFirstData } from "./first-data";
import { childrenProcessorMs, processorMs } from "./processor";
import { median, quantile } from "./quantile";
import type { Row } from "./row";
import { createSiteMember, type SiteMember } from "./site-member";

const probe = pathToFileURL(fileURLToPath(new URL("server-probe.mjs", import.meta.url))).href;
const rounds = 5;
const pagesPerPhase = 80;
const warmUpPages = 150;
const betweenPagesMs = 20;
const cancels = 200;
const dubLines = 60;
/** The synthesis has begun and takes its cores. */
const dubStartMs = 2_000;

interface Site {
  product: Product;
  dispatcher: Agent;
  member: SiteMember;
  /** Event-loop delay of the server since the last call. */
  delayP99(): Promise<number>;
}

async function pageMs({ product, dispatcher }: Site, cookie?: string): Promise<number> {
  const startedAt = performance.now();
  const answer = await request(product.url, { dispatcher, headers: cookie ? { cookie } : {} });
  await answer.body.dump();
  if (answer.statusCode !== 200) throw new Error(`the home page answered ${answer.statusCode}`);
  return performance.now() - startedAt;
}

interface Phase {
  visitor: number[];
  member: number[];
  delayP99: number;
  /** Cores that the speech processes used. */
  speechCores: number;
}

/** Visits the home page without a cookie and as a member, in turn and never at once. */
async function visitHome(site: Site): Promise<Phase> {
  const phase: Phase = { visitor: [], member: [], delayP99: 0, speechCores: 0 };
  await site.delayP99();
  const [startedAt, speechMs] = [performance.now(), childrenProcessorMs(site.product)];
  for (let i = 0; i < pagesPerPhase; i++) {
    phase.visitor.push(await pageMs(site));
    phase.member.push(await pageMs(site, site.member.cookie));
    await sleep(betweenPagesMs);
  }
  phase.delayP99 = await site.delayP99();
  phase.speechCores = (childrenProcessorMs(site.product) - speechMs) / (performance.now() - startedAt);
  return phase;
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

/** Cancels waiting clones at once while two dubs are made; the account read as often at once is the baseline. */
async function measureCancels(site: Site): Promise<Row[]> {
  const { product, dispatcher, member } = site;
  const ids: string[] = [];
  for (let i = 0; i < cancels; i++) {
    const clone = { content: `第${i}句话，说给大家听。`, roleId: "shen-yan" };
    ids.push((await member.post<{ record: { taskId: string } }>(bffPaths.clones, clone)).record.taskId);
  }
  const atOnce = async (act: (id: string) => Promise<unknown>) => {
    const [startedAt, usedMs] = [performance.now(), processorMs(product)];
    await Promise.all(ids.map(act));
    return { seconds: (performance.now() - startedAt) / 1000, usedMs: (processorMs(product) - usedMs) / ids.length };
  };
  const read = async () => {
    const headers = { cookie: member.cookie };
    await (await request(product.url + bffPaths.account, { dispatcher, headers })).body.dump();
  };
  const reads = await atOnce(read);
  await site.delayP99();
  const cancelled = await atOnce((id) => cancel(site, id));
  const reference = `${cancels} reads of the account: ${reads.seconds.toFixed(2)} s`;
  return [
    { name: `${cancels} cancels at once, two dubs`, value: cancelled.seconds, unit: "s", reference },
    {
      name: "one of them, processor time of the server with the encoding of dubs",
      value: cancelled.usedMs,
      unit: "ms",
    },
    { name: "event-loop delay p99 meanwhile", value: await site.delayP99(), unit: "ms" },
  ];
}

function homeRows(name: "visitor" | "member", idle: Phase[], busy: Phase[]): Row[] {
  const ofRounds = (phases: Phase[], share: number) => median(phases.map((phase) => quantile(phase[name], share)));
  const row = (label: string, value: number, unit = "ms", reference?: string): Row => ({
    name: `home page, ${name}, ${label}`,
    value,
    unit,
    ...(reference && { reference }),
  });
  const [idleP95, busyP95] = [ofRounds(idle, 0.95), ofRounds(busy, 0.95)];
  return [
    row("p50 idle", ofRounds(idle, 0.5)),
    row("p50 while two dubs are made", ofRounds(busy, 0.5)),
    row("p95 idle", idleP95),
    row("p95 while two dubs are made", busyP95),
    row("p95 busy ÷ idle", busyP95 / idleP95, "", "≤ 2"),
  ];
}

/** The home page and the event loop while the built-in engine makes two dubs, beside the idle server of the same run. */
export async function benchMix(): Promise<Row[]> {
  const data = await createFirstData();
  const [probePort, dispatcher] = [await freePort(), new Agent({ connections: 8 })];
  const env = { DATA_DIR: data.directory, NODE_OPTIONS: `--import=${probe}`, PROBE_PORT: String(probePort) };
  const product = await startProduct(env);
  try {
    const member = await createSiteMember(product.url, "13800138001");
    const delayP99 = async () => {
      const answer = await fetch(`http://127.0.0.1:${probePort}`);
      return ((await answer.json()) as { p99: number }).p99;
    };
    const site: Site = { product, dispatcher, member, delayP99 };
    for (let i = 0; i < warmUpPages; i++) await pageMs(site, i % 2 ? member.cookie : undefined);
    const [idle, busy]: [Phase[], Phase[]] = [[], []];
    let ofCancels: Row[] = [];
    for (let round = 1; round <= rounds; round++) {
      idle.push(await visitHome(site));
      const dubs = await startDubs(site, round);
      await sleep(dubStartMs);
      busy.push(await visitHome(site));
      if (round === rounds) ofCancels = await measureCancels(site);
      for (const id of dubs) await cancel(site, id);
      await sleep(dubStartMs);
    }
    const speechCores = median(busy.map((phase) => phase.speechCores));
    const delayOf = (phases: Phase[]) => median(phases.map((phase) => phase.delayP99));
    return [
      ...homeRows("visitor", idle, busy),
      ...homeRows("member", idle, busy),
      { name: "event-loop delay p99 idle, pages visited", value: delayOf(idle), unit: "ms" },
      { name: "event-loop delay p99 while two dubs are made", value: delayOf(busy), unit: "ms", reference: "≤ 20 ms" },
      { name: "cores that the synthesis of the dubs got meanwhile", value: speechCores, unit: "" },
      ...ofCancels,
    ];
  } finally {
    await dispatcher.close();
    await product.stop();
    data.remove();
  }
}
