import { setTimeout as sleep } from "node:timers/promises";
import { type Agent, request } from "undici";
import type { Product } from "../support/product";
import { processorMs } from "./processor";
import { median } from "./quantile";

/** One address, requested over keep-alive connections. */
export interface Subject {
  url: string;
  headers: Record<string, string>;
  dispatcher: Agent;
}
/** The same request, sent to the api and to the site in front of it. */
export interface Pair {
  direct: Subject;
  through: Subject;
}

/** Repeats until the most frequent code has been compiled. */
const warmUpPairs = 500;
const pairsInRound = 100;
const latencyRounds = 7;
const loadRounds = 7;
/** The api allows an address 20,000 reads in 10 s; the loads of one round stay below that at 25,000 calls per second. */
const loadMs = 500;
const pauseMs = 10_000;

async function askFor({ url, headers, dispatcher }: Subject): Promise<number> {
  const answer = await request(url, { headers, dispatcher });
  if (answer.statusCode !== 200 && answer.statusCode !== 206) throw new Error(`${url} answered ${answer.statusCode}`);
  let bytes = 0;
  for await (const piece of answer.body) bytes += piece.length;
  return bytes;
}

async function callMs(subject: Subject): Promise<number> {
  const startedAt = performance.now();
  await askFor(subject);
  return performance.now() - startedAt;
}

/** The milliseconds that the site adds at the median, over rounds of single calls, direct and through it in turn. */
export async function compareLatency({ direct, through }: Pair) {
  const rounds: number[] = [];
  for (let i = 0; i < warmUpPairs; i++) await askBoth({ direct, through });
  for (let round = 0; round < latencyRounds; round++) {
    const seen = [];
    for (let i = 0; i < pairsInRound; i++) seen.push(await askBoth({ direct, through }, i % 2 === 1));
    const directMs = seen.map((times) => times.directMs);
    const throughMs = seen.map((times) => times.throughMs);
    rounds.push(median(throughMs) - median(directMs));
  }
  return { addedMs: median(rounds) };
}

/** Alternates the order, so that neither always runs after the other. */
async function askBoth({ direct, through }: Pair, isThroughFirst = false) {
  const early = isThroughFirst ? await callMs(through) : 0;
  const directMs = await callMs(direct);
  return { directMs, throughMs: isThroughFirst ? early : await callMs(through) };
}

/** Calls per second, and milliseconds of the server's processor time per call. */
interface Cost {
  rate: number;
  ms: number;
}

/**
 * Loads the process with each subject in turn, so that other load affects all; returns the median over the rounds. The
 * processor time is little affected by other load.
 */
export async function compareRates<Name extends string>(
  server: Product,
  subjects: Record<Name, Subject>,
  atOnce: number,
): Promise<Record<Name, Cost>> {
  const entries = Object.entries(subjects) as Array<[Name, Subject]>;
  for (const [, subject] of entries) await load(subject, atOnce);
  const costs = new Map(entries.map(([name]) => [name, [] as Cost[]]));
  for (let round = 0; round < loadRounds; round++) {
    await sleep(pauseMs);
    for (const [name, subject] of entries) {
      const before = processorMs(server);
      const { answers, seconds } = await load(subject, atOnce);
      costs.get(name)?.push({ rate: answers, ms: (processorMs(server) - before) / (answers * seconds) });
    }
  }
  const medians = entries.map(([name]) => {
    const seen = costs.get(name) ?? [];
    return [name, { rate: median(seen.map(({ rate }) => rate)), ms: median(seen.map(({ ms }) => ms)) }];
  });
  return Object.fromEntries(medians) as Record<Name, Cost>;
}

/** Counts responses and bytes per second at a given concurrency. */
async function load(subject: Subject, atOnce: number) {
  const startedAt = performance.now();
  let answers = 0;
  let bytes = 0;
  const one = async () => {
    while (performance.now() - startedAt < loadMs) {
      bytes += await askFor(subject);
      answers += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  const seconds = (performance.now() - startedAt) / 1000;
  return { answers: answers / seconds, bytes: bytes / seconds, seconds };
}

/** Alternates one second of each: medians over the rounds, of each and of the ratio. */
export async function compareLoad({ direct, through }: Pair, atOnce: number, unit: "answers" | "bytes") {
  const rounds: Array<{ direct: number; through: number }> = [];
  await load(direct, atOnce);
  await load(through, atOnce);
  for (let round = 0; round < loadRounds; round++)
    rounds.push({ direct: (await load(direct, atOnce))[unit], through: (await load(through, atOnce))[unit] });
  return {
    direct: median(rounds.map((round) => round.direct)),
    through: median(rounds.map((round) => round.through)),
    ratio: median(rounds.map((round) => round.through / round.direct)),
  };
}
