import { Agent, request } from "undici";
import { createSessions } from "~server/bff/session.server";
import { startProduct } from "../support/product";
import { uploadSound } from "./long-sound";
import type { Row } from "./row";

const warmUpCalls = 200;
const measuredCalls = 400;
const concurrency = 20;
const listeners = 4;
const loadMs = 2_000;
const rounds = 3;

interface Subject {
  url: string;
  headers: Record<string, string>;
  dispatcher: Agent;
}

async function callMs({ url, headers, dispatcher }: Subject): Promise<number> {
  const startedAt = performance.now();
  const answer = await request(url, { headers, dispatcher });
  await answer.body.dump();
  if (answer.statusCode >= 500 || answer.statusCode === 204) throw new Error(`${url} answered ${answer.statusCode}`);
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

/** Bytes a second of whole files, several at once. */
async function byteRate(subject: Subject): Promise<number> {
  const endsAt = performance.now() + loadMs;
  let bytes = 0;
  const listener = async () => {
    while (performance.now() < endsAt) {
      const answer = await request(subject.url, { headers: subject.headers, dispatcher: subject.dispatcher });
      if (answer.statusCode !== 200) throw new Error(`${subject.url} answered ${answer.statusCode}`);
      for await (const piece of answer.body) bytes += piece.length;
    }
  };
  await Promise.all(Array.from({ length: listeners }, listener));
  return (bytes * 1000) / loadMs / 2 ** 20;
}

/** The better of each, the two in turn: what else this machine does at the time slows both alike. */
async function inTurn(pair: Subject[], measure: (subject: Subject) => Promise<number>, better: typeof Math.min) {
  const [direct, through] = pair as [Subject, Subject];
  const seen: Array<[number, number]> = [];
  for (let round = 0; round < rounds; round++) seen.push([await measure(direct), await measure(through)]);
  return [better(...seen.map(([first]) => first)), better(...seen.map(([, second]) => second))] as const;
}

async function compareCalls(pair: Subject[]): Promise<Row[]> {
  for (const subject of pair) await median(subject, warmUpCalls);
  const [directMs, throughMs] = await inTurn(pair, (subject) => median(subject, measuredCalls), Math.min);
  const [directRate, throughRate] = await inTurn(pair, throughput, Math.max);
  return [
    { name: "direct, p50", value: directMs, unit: "ms" },
    { name: "through the BFF, p50", value: throughMs, unit: "ms" },
    { name: "added by the BFF at p50", value: throughMs - directMs, unit: "ms", reference: "≤ 0.6 ms" },
    { name: `direct, ${concurrency} at once`, value: directRate, unit: "calls/s" },
    { name: `through the BFF, ${concurrency} at once`, value: throughRate, unit: "calls/s" },
    { name: "calls, BFF ÷ direct", value: throughRate / directRate, unit: "" },
  ];
}

async function compareSounds(pair: Subject[]): Promise<Row[]> {
  const first = pair.map((subject) => ({ ...subject, headers: { ...subject.headers, range: "bytes=0-1023" } }));
  for (const subject of first) await median(subject, warmUpCalls);
  const [directMs, throughMs] = await inTurn(first, (subject) => median(subject, measuredCalls), Math.min);
  const [directRate, throughRate] = await inTurn(pair, byteRate, Math.max);
  return [
    { name: "first KB of a sound, direct, p50", value: directMs, unit: "ms" },
    { name: "first KB of a sound, through the BFF, p50", value: throughMs, unit: "ms" },
    { name: "added by the BFF at p50, sounds", value: throughMs - directMs, unit: "ms", reference: "≤ 0.6 ms" },
    { name: `sounds, direct, ${listeners} at once`, value: directRate, unit: "MB/s" },
    { name: `sounds, through the BFF, ${listeners} at once`, value: throughRate, unit: "MB/s" },
    { name: "bytes of sound, BFF ÷ direct", value: throughRate / directRate, unit: "", reference: "≥ 0.8" },
  ];
}

const secret = "a-secret-of-the-bench-which-nobody-else-has";

/** What the BFF costs: a trial's result and a sound, asked of the API itself and through the site, which asks the same API. */
export async function benchBff(): Promise<Row[]> {
  const api = await startProduct({ ROLE: "api" });
  const web = await startProduct({ ROLE: "web", API_BASE_URL: api.url, SESSION_SECRET: secret });
  const dispatcher = new Agent({ connections: concurrency });
  try {
    const session = await createSessions({ secrets: [secret] }).open(null, true);
    const cookie = (await session.setCookie())?.split(";")[0] ?? "";
    const own = { appid: "shengxiang", token: "", "x-visitor-id": session.values.visitorId };
    const subjects = (call: string, page: string): Subject[] => [
      { url: api.url + call, headers: own, dispatcher },
      { url: web.url + page, headers: { cookie }, dispatcher },
    ];
    const sound = await uploadSound(api, { headers: own, dispatcher });
    return [
      ...(await compareCalls(subjects("/api/v1/voice/try/result?taskId=none", "/bff/trials/none"))),
      ...(await compareSounds(subjects(sound, `/bff/media?url=${encodeURIComponent(sound)}`))),
    ];
  } finally {
    await dispatcher.close();
    await web.stop();
    await api.stop();
  }
}
