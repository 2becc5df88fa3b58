import { loadavg } from "node:os";
import { Agent } from "undici";
import { createSessions } from "~server/bff/session.server";
import { calls } from "~server/contract/calls/table";
import { type Product, startProduct } from "../support/product";
import { startBareProxy } from "./bare-proxy";
import { uploadSound } from "./long-sound";
import { compareLatency, compareLoad, type Pair } from "./pairs";
import type { Row } from "./row";

const callers = 20;
const listeners = 4;
const secret = "a-session-secret-for-the-benchmark-only";

/** The api and the site under test. */
interface Places {
  api: Product;
  web: Product;
  dispatcher: Agent;
}

async function createPairs({ api, web, dispatcher }: Places) {
  const session = await createSessions({ secrets: [secret] }).open(null, true);
  const cookie = (await session.setCookie())?.split(";")[0] ?? "";
  const own = { appid: "shengxiang", token: "", "x-visitor-id": session.values.visitorId };
  const sound = await uploadSound(api, { headers: own, dispatcher });
  const pair = (call: string, page: string, range: Record<string, string> = {}): Pair => ({
    direct: { url: api.url + call, headers: { ...own, ...range }, dispatcher },
    through: { url: web.url + page, headers: { cookie, ...range }, dispatcher },
  });
  const square = `/api/v1${calls.squareList.path}?page=1&pageSize=20`;
  const media = `/bff/media?url=${encodeURIComponent(sound)}`;
  return {
    products: pair(`/api/v1${calls.products.path}`, "/bff/products"),
    voices: pair(square, "/bff/voices/square"),
    page: pair(square, "/main/square.data?_routes=routes%2Fmain.square"),
    start: pair(sound, media, { range: "bytes=0-1023" }),
    sound: pair(sound, media),
  };
}

const ms = (name: string, value: number, reference?: string): Row => ({
  name,
  value,
  unit: "ms",
  ...(reference && { reference }),
});

async function latencyRows(name: string, pair: Pair, goal?: string): Promise<Row[]> {
  const { directMs, throughMs, addedMs, undisturbedMs } = await compareLatency(pair);
  return [
    ms(`${name}, direct, p50`, directMs),
    ms(`${name}, through the BFF, p50`, throughMs),
    ms(`${name}, added at p50`, addedMs, goal),
    ms(`${name}, added to the quickest tenth`, undisturbedMs),
  ];
}

async function compareAll(topology: string, places: Places): Promise<Row[]> {
  const { products, voices, page, start, sound } = await createPairs(places);
  const goal = "≤ 0.6 ms";
  const rows = [
    ...(await latencyRows("price list", products, goal)),
    ...(await latencyRows("20 voices", voices, goal)),
    ...(await latencyRows("20 voices as a page's data", page)),
    ...(await latencyRows("first KB of a sound", start, goal)),
  ];
  const answers = await compareLoad(products, callers, "answers");
  const bytes = await compareLoad(sound, listeners, "bytes");
  rows.push(
    { name: `price list, direct, ${callers} at once`, value: answers.direct, unit: "calls/s" },
    { name: `price list, through the BFF, ${callers} at once`, value: answers.through, unit: "calls/s" },
    { name: "price list, BFF ÷ direct", value: answers.ratio, unit: "" },
    { name: `sounds, direct, ${listeners} at once`, value: bytes.direct / 2 ** 20, unit: "MB/s" },
    { name: `sounds, through the BFF, ${listeners} at once`, value: bytes.through / 2 ** 20, unit: "MB/s" },
    { name: "bytes of sound, BFF ÷ direct", value: bytes.ratio, unit: "", reference: "≥ 0.8" },
  );
  return rows.map((row) => ({ ...row, name: `${topology}: ${row.name}` }));
}

/** Latency added by a bare proxy: the minimum cost of a second process. */
async function bareRows({ api, web, dispatcher }: Places): Promise<Row[]> {
  const { products, voices } = await createPairs({ api, web, dispatcher });
  const bare = await startBareProxy(api.url);
  const added = async (name: string, { direct }: Pair) => {
    const through = { ...direct, url: direct.url.replace(api.url, bare.url) };
    return ms(`apart: ${name}, a bare proxy adds at p50`, (await compareLatency({ direct, through })).addedMs);
  };
  try {
    return [await added("price list", products), await added("20 voices", voices)];
  } finally {
    await bare.stop();
  }
}

/**
 * Measures the cost of the BFF. Apart: client, site and api are three processes, and the client calls the api
 * directly. Together: site and api are one process, called through either entry.
 */
export async function benchBff(): Promise<Row[]> {
  const rows: Row[] = [{ name: "load average of the machine at the start", value: loadavg()[0] ?? 0, unit: "" }];
  const dispatcher = new Agent({ connections: callers, keepAliveTimeout: 60_000 });
  const api = await startProduct({ ROLE: "api" });
  const web = await startProduct({ ROLE: "web", API_BASE_URL: api.url, SESSION_SECRET: secret });
  try {
    rows.push(...(await bareRows({ api, web, dispatcher })));
    rows.push(...(await compareAll("apart", { api, web, dispatcher })));
  } finally {
    await web.stop();
    await api.stop();
  }
  const whole = await startProduct({ SESSION_SECRET: secret });
  try {
    rows.push(...(await compareAll("together", { api: whole, web: whole, dispatcher })));
  } finally {
    await dispatcher.close();
    await whole.stop();
  }
  return rows;
}
