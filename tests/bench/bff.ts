import { Agent } from "undici";
import { createSessions } from "~server/bff/session.server";
import { calls } from "~server/contract/calls/table";
import { type Product, startProduct } from "../support/product";
import { uploadSound } from "./long-sound";
import { compareLatency, compareLoad, compareRates, type Pair } from "./pairs";
import type { Row } from "./row";

const connections = 8;
const listeners = 4;
const secret = "a-session-secret-for-the-benchmark-only";
const leastRatio = 0.8;
/** Direct calls per second on two quiet cores. */
const leastRates = { "role list": 1500 };

/** The api and the site under test. */
interface Places {
  api: Product;
  web: Product;
  dispatcher: Agent;
}

async function createPairs({ api, web, dispatcher }: Places) {
  const session = await createSessions({ secrets: [secret] }).open(null, true);
  session.countTrials(0);
  const cookie = (await session.setCookie())?.split(";")[0] ?? "";
  const own = { appid: "shengxiang", token: "", "x-visitor-id": session.values.visitorId };
  const sound = await uploadSound(api, { headers: own, dispatcher });
  const pair = (call: string, page: string, range: Record<string, string> = {}): Pair => ({
    direct: { url: api.url + call, headers: { ...own, ...range }, dispatcher },
    through: { url: web.url + page, headers: { cookie, ...range }, dispatcher },
  });
  const media = `/bff/media?url=${encodeURIComponent(sound)}`;
  return {
    lists: {
      "role list": pair(`/api/v1${calls.squareList.path}?page=1&pageSize=20`, "/bff/voices/square"),
    },
    start: pair(sound, media, { range: "bytes=0-1023" }),
    sound: pair(sound, media),
  };
}

/** Rates and processor time of both lists in one process, next to the process's own healthz. */
async function listRows(whole: Product, { lists }: Awaited<ReturnType<typeof createPairs>>): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, pair] of Object.entries(lists)) {
    const baseline = { ...pair.direct, url: `${whole.url}/healthz` };
    const seen = await compareRates(whole, { baseline, ...pair }, connections);
    const least = leastRates[name as keyof typeof leastRates];
    const row = (what: string, value: number, unit: string, reference = "") =>
      rows.push({ name: `${name}, ${what}`, value, unit, ...(reference && { reference }) });
    row("healthz of the same process", seen.baseline.rate, "calls/s");
    row("direct", seen.direct.rate, "calls/s", `≥ ${least}`);
    row("through the BFF", seen.through.rate, "calls/s");
    row("BFF ÷ direct, by rate", seen.through.rate / seen.direct.rate, "", `≥ ${leastRatio}`);
    row("BFF ÷ direct, by processor time", seen.direct.ms / seen.through.ms, "", `≥ ${leastRatio}`);
    row("healthz, processor time", seen.baseline.ms, "ms");
    row("direct, processor time", seen.direct.ms, "ms");
    row("through the BFF, processor time", seen.through.ms, "ms");
  }
  return rows;
}

/** A sound through the BFF: the delay of its first bytes and the rate of all of them. */
async function soundRows(topology: string, { start, sound }: Awaited<ReturnType<typeof createPairs>>): Promise<Row[]> {
  const { addedMs } = await compareLatency(start);
  const bytes = await compareLoad(sound, listeners, "bytes");
  return [
    { name: `${topology}: first KB of a sound, added at p50`, value: addedMs, unit: "ms", reference: "≤ 0.6 ms" },
    { name: `${topology}: sounds, direct, ${listeners} at once`, value: bytes.direct / 2 ** 20, unit: "MB/s" },
    { name: `${topology}: sounds, through the BFF`, value: bytes.through / 2 ** 20, unit: "MB/s" },
    { name: `${topology}: bytes of sound, BFF ÷ direct`, value: bytes.ratio, unit: "", reference: `≥ ${leastRatio}` },
  ];
}

/**
 * Measures the cost of the BFF. Together: site and api are one process, called through either entry. Apart: client, site
 * and api are three processes, and the client calls the api directly.
 */
export async function benchBff(): Promise<Row[]> {
  const rows: Row[] = [];
  const dispatcher = new Agent({ connections, keepAliveTimeout: 60_000 });
  const whole = await startProduct({ SESSION_SECRET: secret });
  try {
    const pairs = await createPairs({ api: whole, web: whole, dispatcher });
    rows.push(...(await listRows(whole, pairs)), ...(await soundRows("together", pairs)));
  } finally {
    await whole.stop();
  }
  const api = await startProduct({ ROLE: "api" });
  const web = await startProduct({ ROLE: "web", API_BASE_URL: api.url, SESSION_SECRET: secret });
  try {
    rows.push(...(await soundRows("apart", await createPairs({ api, web, dispatcher }))));
  } finally {
    await dispatcher.close();
    await web.stop();
    await api.stop();
  }
  return rows;
}
