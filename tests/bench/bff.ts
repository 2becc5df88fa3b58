import { Agent, request } from "undici";
import { startProduct } from "../support/product";
import type { Row } from "./row";

const warmUpCalls = 300;
const measuredCalls = 1_000;
const concurrency = 20;
const loadMs = 4_000;

interface Subject {
  url: string;
  headers: Record<string, string>;
  dispatcher: Agent;
}

async function callMs({ url, headers, dispatcher }: Subject): Promise<number> {
  const startedAt = performance.now();
  const answer = await request(url, { headers, dispatcher });
  await answer.body.dump();
  if (answer.statusCode >= 500) throw new Error(`${url} answered ${answer.statusCode}`);
  return performance.now() - startedAt;
}

/** Milliseconds of the call in the middle, one after another. */
async function median(subject: Subject, calls: number): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < calls; i++) times.push(await callMs(subject));
  return times.sort((a, b) => a - b)[Math.floor(calls / 2)] ?? 0;
}

async function throughput(subject: Subject): Promise<number> {
  const endsAt = performance.now() + loadMs;
  let calls = 0;
  const worker = async () => {
    while (performance.now() < endsAt) {
      await callMs(subject);
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return (calls * 1000) / loadMs;
}

/** What the BFF costs: a trial's result asked of the API itself and through the site, which asks the same API. */
export async function benchBff(): Promise<Row[]> {
  const api = await startProduct({ ROLE: "api" });
  const web = await startProduct({ ROLE: "web", API_BASE_URL: api.url });
  const dispatcher = new Agent({ connections: concurrency });
  try {
    const page = await request(web.url, { dispatcher });
    await page.body.dump();
    const cookie = String(page.headers["set-cookie"]).split(";")[0] ?? "";
    const own = { appid: "shengxiang", token: "", "x-visitor-id": "bench-visitor" };
    const direct = { url: `${api.url}/api/v1/voice/try/result?taskId=none`, headers: own, dispatcher };
    const through = { url: `${web.url}/bff/trials/none`, headers: { cookie }, dispatcher };
    for (const subject of [direct, through]) await median(subject, warmUpCalls);
    const [directMs, throughMs] = [await median(direct, measuredCalls), await median(through, measuredCalls)];
    const [directRate, throughRate] = [await throughput(direct), await throughput(through)];
    return [
      { name: "direct, p50", value: directMs, unit: "ms" },
      { name: "through the BFF, p50", value: throughMs, unit: "ms" },
      { name: "p50, BFF ÷ direct", value: throughMs / directMs, unit: "" },
      { name: `direct, ${concurrency} at once`, value: directRate, unit: "calls/s" },
      { name: `through the BFF, ${concurrency} at once`, value: throughRate, unit: "calls/s" },
      { name: "throughput, BFF ÷ direct", value: throughRate / directRate, unit: "" },
    ];
  } finally {
    await dispatcher.close();
    await web.stop();
    await api.stop();
  }
}
