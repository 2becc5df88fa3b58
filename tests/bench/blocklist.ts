/**
 * Measures the list of blocked voices: which changed takes of a blocked voice are still recognised, and which takes of
 * other people are refused. Each recording is halved; a half is blocked and compared with the other half, changed.
 */
import { speechRate } from "../../server/speech/dsp/grid";
import { resample } from "../../server/speech/dsp/resample";
import { analyseSound, proofRate } from "../../server/speech/proof/frames";
import { compareSpeakers, describeSpeaker, sameVoiceAbove } from "../../server/speech/proof/speaker";
import type { Row } from "./row";
import { accepted } from "./verdict-sounds";
import { readVoices } from "./voices";

/** Log-likelihood ratio of a proof of consent, whose question is another one. */
const proofAbove = -10.7;

/** Changes that make another voice: a miss is right there. */
const otherVoice = (change: string) => change.startsWith("a child");

interface Comparison {
  change: string;
  isSame: boolean;
  score: number;
}

export async function benchBlocklist(folder: string): Promise<Row[]> {
  const started = process.cpuUsage();
  const { comparisons, described, impostorPairs } = compareAll(await readVoices(folder));
  const { user, system } = process.cpuUsage(started);
  const rateOf = (wanted: Comparison[], isCounted: (score: number) => boolean) =>
    (100 * wanted.filter(({ score }) => isCounted(score)).length) / Math.max(1, wanted.length);
  const isHit = (score: number) => score >= sameVoiceAbove;
  const others = comparisons.filter(({ isSame }) => !isSame);
  const atProof = rateOf(others, (score) => score >= proofAbove);
  const misses = (name: string, wanted: Comparison[]): Row => ({
    name: `blocklist, blocked voice missed, ${name} (${wanted.length})`,
    value: rateOf(wanted, (score) => !isHit(score)),
    unit: "%",
    reference: `${rateOf(wanted, (score) => score < proofAbove).toFixed(0)} % at a proof's threshold`,
  });
  const same = comparisons.filter(({ isSame, change }) => isSame && !otherVoice(change));
  const changes = [...new Set(same.map(({ change }) => change))];
  return [
    {
      name: `blocklist, other people refused (${others.length} comparisons of ${impostorPairs} pairs)`,
      value: rateOf(others, isHit),
      unit: "%",
      reference: `${atProof.toFixed(1)} % at a proof's threshold`,
    },
    misses("all changes", same),
    ...changes.map((change) =>
      misses(
        change,
        same.filter((one) => one.change === change),
      ),
    ),
    {
      name: "blocklist, processor time of one voiceprint",
      value: (user + system) / 1000 / described,
      unit: "ms",
    },
  ];
}

function compareAll(voices: Awaited<ReturnType<typeof readVoices>>) {
  const halves = voices.flatMap(({ name, samples }) => {
    const middle = Math.floor(samples.length / 2);
    return [samples.subarray(0, middle), samples.subarray(middle)].map((part) => ({ name, part }));
  });
  let described = 0;
  const describe = (samples: Float32Array) => {
    described++;
    return describeSpeaker(analyseSound(resample(samples, speechRate, proofRate)));
  };
  const blocked = halves.map(({ part }) => describe(part));
  const comparisons: Comparison[] = [];
  for (const [change, make] of Object.entries(accepted)) {
    for (const [i, { name, part }] of halves.entries()) {
      const voice = describe(make(part));
      for (const [j, known] of blocked.entries()) {
        if (i === j || !voice || !known) continue;
        comparisons.push({ change, isSame: halves[j]?.name === name, score: compareSpeakers(known, voice) });
      }
    }
  }
  return { comparisons, described, impostorPairs: (voices.length * (voices.length - 1)) / 2 };
}
