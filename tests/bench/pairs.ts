import { type Agent, request } from "undici";

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
const warmUpPairs = 1_500;
const pairsInRound = 100;
const latencyRounds = 7;
const loadRounds = 7;
const loadMs = 800;

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

const quantile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
const median = (values: number[]) => quantile(values, 0.5);
/** Drops the calls of a round that were slowed down by other load. */
const undisturbed = 0.1;

interface Round {
  directMs: number;
  throughMs: number;
  undisturbedMs: number;
}

/**
 * Median milliseconds of single calls, direct and proxied in turn, so that other load affects both. Returns medians
 * over the rounds of each and of their difference, and the difference between the fastest tenths, which is robust
 * against other load.
 */
export async function compareLatency({ direct, through }: Pair) {
  const rounds: Round[] = [];
  for (let i = 0; i < warmUpPairs; i++) await askBoth({ direct, through });
  for (let round = 0; round < latencyRounds; round++) {
    const seen = [];
    for (let i = 0; i < pairsInRound; i++) seen.push(await askBoth({ direct, through }, i % 2 === 1));
    const directMs = seen.map((times) => times.directMs);
    const throughMs = seen.map((times) => times.throughMs);
    rounds.push({
      directMs: median(directMs),
      throughMs: median(throughMs),
      undisturbedMs: quantile(throughMs, undisturbed) - quantile(directMs, undisturbed),
    });
  }
  return {
    directMs: median(rounds.map(({ directMs }) => directMs)),
    throughMs: median(rounds.map(({ throughMs }) => throughMs)),
    addedMs: median(rounds.map(({ directMs, throughMs }) => throughMs - directMs)),
    undisturbedMs: median(rounds.map(({ undisturbedMs }) => undisturbedMs)),
  };
}

/** Alternates the order, so that neither always runs after the other. */
async function askBoth({ direct, through }: Pair, isThroughFirst = false) {
  const early = isThroughFirst ? await callMs(through) : 0;
  const directMs = await callMs(direct);
  return { directMs, throughMs: isThroughFirst ? early : await callMs(through) };
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
  return { answers: answers / seconds, bytes: bytes / seconds };
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
