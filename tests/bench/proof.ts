/**
 * Measures proofs of voices at the product's thresholds. Words: parts of recordings claimed to be their own text and
 * others'. Speaker: halves of recordings, changed as microphones change them. Copies: the reference itself, and pieces of
 * it. Clones: prompts spoken by our engine in the voice of the reference, by the speaker measure alone and by the lookup
 * of our own speech.
 */
import { prepareText } from "../../server/speech/chinese/prepare";
import { speechRate } from "../../server/speech/dsp/grid";
import { resample } from "../../server/speech/dsp/resample";
import { createEmbeddedEngine, type EmbeddedEngine } from "../../server/speech/engines/embedded/engine";
import { findCopies } from "../../server/speech/proof/copies";
import { analyseSound, proofRate } from "../../server/speech/proof/frames";
import { compareSpeakers, describeSpeaker } from "../../server/speech/proof/speaker";
import { createFingerprint, createQuery } from "../../server/speech/recording/fingerprint/fingerprint";
import { likenessAt } from "../../server/upstream/verify/likeness";
import { sameBelow } from "../../server/upstream/verify/recognition";
import { createPhrase } from "../../server/upstream/voices/proofs/phrase";
import { proofThresholds } from "../../server/upstream/voices/proofs/verdict";
import { createRandom } from "../support/sounds";
import type { Row } from "./row";
import { accepted, mixAt } from "./verdict-sounds";
import { readTranscripts, readVoices } from "./voices";

type Voice = Awaited<ReturnType<typeof readVoices>>[number];

const { words, speaker, copied } = proofThresholds;
const percent = (part: number, whole: number) => (100 * part) / Math.max(1, whole);
const share = <T>(list: T[], isCounted: (value: T) => boolean) => percent(list.filter(isCounted).length, list.length);
const atProofRate = (samples: Float32Array) => resample(samples, speechRate, proofRate);

export async function benchProof(folder: string): Promise<Row[]> {
  const voices = await readVoices(folder);
  const engine = await createEmbeddedEngine({ processes: 2 });
  try {
    return [
      ...(await benchWords(engine, voices, readTranscripts(folder))),
      ...benchSpeakers(voices),
      ...benchCopies(voices),
      ...(await benchClones(engine, voices)),
    ];
  } finally {
    await engine.close();
  }
}

/** Error rates over thresholds: `false accepts / false rejects`. */
function curve(
  name: string,
  { own, others }: { own: number[]; others: number[] },
  thresholds: readonly number[],
  reference: string,
): Row[] {
  const rejects = (at: number) => share(own, (score) => score < at);
  const accepts = (at: number) => share(others, (score) => score >= at);
  const all = [...own, ...others].sort((a, b) => a - b);
  const gaps = all.map((at) => ({ gap: Math.abs(rejects(at) - accepts(at)), rate: (rejects(at) + accepts(at)) / 2 }));
  const equal = gaps.sort((a, b) => a.gap - b.gap)[0]?.rate ?? 0;
  return [
    {
      name: `${name}, equal error rate (${own.length} own, ${others.length} others)`,
      value: equal,
      unit: "%",
      reference,
    },
    ...thresholds.map((at) => ({
      name: `${name} ≥ ${at}: own rejected`,
      value: rejects(at),
      unit: "%",
      reference: `${accepts(at).toFixed(1)} % of others accepted`,
    })),
  ];
}

/** Syllables of the statement's part, and of each line. */
const statementLength = 8;
const lineLength = 10;

interface Part {
  voice: Voice;
  sound: Float32Array;
  statement: string;
  lines: string[];
}

async function benchWords(engine: EmbeddedEngine, voices: Voice[], transcripts: Map<string, string>): Promise<Row[]> {
  const parts: Part[] = [];
  for (const voice of voices) parts.push(...(await cutParts(engine, voice, transcripts.get(voice.name) ?? "")));
  const decoys = decoyTexts(10).map((text) => prepareText(text));
  const measure = async ({ sound, statement }: Part, lines: string[]) => {
    const spoken = { samples: sound, sampleRate: speechRate };
    // Only the words are read: comparing with a long reference takes most of a measurement.
    const reference = { samples: sound.subarray(0, speechRate), sampleRate: speechRate };
    const texts = { statement: prepareText(statement), lines: lines.map((text) => prepareText(text)), decoys };
    return (await engine.measureProof({ reference, spoken, ...texts })).words;
  };
  // A line that was not said is unclear, however well the other one was.
  const scoreOf = ({ all, lines }: { all: number; lines: number[] }) =>
    lines.some((line) => line <= words.eachLine) ? Math.min(all, words.no) : all;
  const claimOthers = (part: Part, i: number) => {
    const foreign = parts.filter(({ voice }) => voice !== part.voice);
    const claims = [0, 1, 2].map((step) => foreign[(i + 2 * step) % foreign.length]?.lines ?? []);
    return Promise.all(claims.map((lines) => measure(part, lines)));
  };
  const measured = await Promise.all(parts.map((part) => measure(part, part.lines)));
  const own = measured.map(scoreOf);
  const singles = measured.flatMap(({ lines }) => lines);
  const others = (await Promise.all(parts.map(claimOthers))).flat().map(scoreOf);
  return [
    ...curve(
      "proof, words of 2 × 10",
      { own, others },
      [words.no, 2, 2.3, 2.6, 3, 3.4],
      "2.5 % in the study of 9 people",
    ),
    {
      name: `proof, own lines at or below ${words.eachLine} (${singles.length})`,
      value: share(singles, (line) => line <= words.eachLine),
      unit: "%",
    },
  ];
}

function decoyTexts(count: number): string[] {
  const random = createRandom(7);
  const pick = (below: number) => Math.floor(random() * below);
  return Array.from({ length: count / 2 }, () => createPhrase("", pick))
    .flat()
    .map((line) => line.join(""));
}

/** Parts of 28 syllables, cut at the times that the aligner finds. */
async function cutParts(engine: EmbeddedEngine, voice: Voice, transcript: string): Promise<Part[]> {
  const pcm = Int16Array.from(voice.samples, (value) => Math.round(Math.max(-1, Math.min(1, value)) * 32_767));
  const { timeline } = await engine.align({ text: prepareText(transcript), pcm, sampleRate: speechRate });
  const { units } = timeline;
  const whole = statementLength + 2 * lineLength;
  const parts: Part[] = [];
  for (let from = 0; from + whole <= units.length; from += whole / 2) {
    const own = units.slice(from, from + whole);
    const [first, last] = [own[0], own.at(-1)];
    if (!first || !last) break;
    const textOf = (start: number, length: number) =>
      own
        .slice(start, start + length)
        .map(({ text }) => text)
        .join("");
    const at = (ms: number) => Math.round((ms / 1000) * speechRate);
    parts.push({
      voice,
      sound: voice.samples.subarray(at(first.start), at(last.end)),
      statement: textOf(0, statementLength),
      lines: [textOf(statementLength, lineLength), textOf(statementLength + lineLength, lineLength)],
    });
  }
  return parts;
}

function benchSpeakers(voices: Voice[]): Row[] {
  const halves = voices.flatMap(({ name, samples }) => {
    const middle = samples.length >> 1;
    return [samples.subarray(0, middle), samples.subarray(middle)].map((part) => ({ name, part }));
  });
  const known = halves.map(({ part }) => describeSpeaker(analyseSound(atProofRate(part))));
  const [own, others]: [number[], number[]] = [[], []];
  const changes = Object.entries(accepted).filter(([change]) => !change.startsWith("a child"));
  for (const [, change] of changes) {
    for (const [i, { name, part }] of halves.entries()) {
      const changed = describeSpeaker(analyseSound(atProofRate(change(part))));
      for (const [j, enrolled] of known.entries()) {
        if (i === j || !changed || !enrolled) continue;
        (halves[j]?.name === name ? own : others).push(compareSpeakers(enrolled, changed));
      }
    }
  }
  return curve(
    "proof, speaker",
    { own, others },
    [speaker.no, speaker.yes],
    "4.2 % clean, 8.3 % changed, of 24 people",
  );
}

/** Seconds of each piece of a spliced recording. */
const pieceSeconds = 0.3;

function benchCopies(voices: Voice[]): Row[] {
  const random = createRandom(3);
  const splice = (samples: Float32Array) => {
    const size = Math.round(pieceSeconds * proofRate);
    const out = new Float32Array(16 * size);
    for (let at = 0; at < out.length; at += size) {
      const from = Math.floor(random() * (samples.length - size));
      out.set(samples.subarray(from, from + size), at);
    }
    return out;
  };
  const noise = Float32Array.from({ length: 8 * proofRate }, () => random() - 0.5);
  const isCopy = (spoken: Float32Array, reference: Float32Array) => {
    const found = findCopies(analyseSound(spoken), analyseSound(reference));
    const above = (least: number) => found.filter((value) => value > least).length / Math.max(1, found.length);
    return above(0.9) >= copied.identical || above(0.8) >= copied.alike;
  };
  const takes = voices.map(({ samples }) => atProofRate(samples));
  const kinds: Array<[string, string, (take: Float32Array) => boolean]> = [
    [
      "another part of the recording called a copy",
      "0 of 32",
      (take) => isCopy(take.subarray(take.length >> 1), take.subarray(0, take.length >> 1)),
    ],
    ["a copy found", "100 %", (take) => isCopy(take.subarray(0, 5 * proofRate), take)],
    [
      "a copy under noise 15 dB below found",
      "91 %",
      (take) => isCopy(mixAt(take.subarray(0, 5 * proofRate), noise, 15), take),
    ],
    ["pieces of 0.3 s found", "100 %", (take) => isCopy(splice(take), take)],
    ["pieces under noise 15 dB below found", "56 %", (take) => isCopy(mixAt(splice(take), noise, 15), take)],
  ];
  return kinds.map(([name, study, isFound]) => ({
    name: `proof, ${name} (${takes.length})`,
    value: share(takes, isFound),
    unit: "%",
    reference: `${study} in the study`,
  }));
}

async function benchClones(engine: EmbeddedEngine, voices: Voice[]): Promise<Row[]> {
  const texts = decoyTexts(4);
  const scores: number[] = [];
  const clones: Float32Array[] = [];
  for (const { samples } of voices) {
    const voice = await engine.enroll({ samples, sampleRate: speechRate });
    const enrolled = describeSpeaker(analyseSound(atProofRate(samples)));
    for (let i = 0; i + 1 < texts.length; i += 2) {
      const clone = await speakClone(engine, voice, `${texts[i]}。${texts[i + 1]}。`);
      const described = describeSpeaker(analyseSound(atProofRate(clone)));
      if (described && enrolled) scores.push(compareSpeakers(enrolled, described));
      clones.push(clone);
    }
  }
  return [
    {
      name: `proof, own clones that pass the speaker measure alone (${scores.length})`,
      value: share(scores, (score) => score >= speaker.yes),
      unit: "%",
      reference: "85 % in the study",
    },
    ...benchLookup(clones, voices),
  ];
}

type Profile = Awaited<ReturnType<EmbeddedEngine["enroll"]>>;

async function speakClone(engine: EmbeddedEngine, voice: Profile, words: string): Promise<Float32Array> {
  const spoken: number[] = [];
  const request = { text: prepareText(words), voice, speed: 1 };
  for await (const { pcm, sampleRate } of engine.synthesize(request, new AbortController().signal)) {
    const samples = Float32Array.from(pcm, (one) => one / 32_768);
    for (const value of resample(samples, sampleRate, speechRate)) spoken.push(value);
  }
  return Float32Array.from(spoken);
}

/** Fingerprints are compared near the place where both sounds start; the product finds the place by an index. */
const startFrames = [-4, -2, 0, 2, 4];

/** Looks up generated speech by its fingerprint without its label; other recordings must not be found. */
function benchLookup(clones: Float32Array[], voices: Voice[]): Row[] {
  const prints = clones.map((clone) => createFingerprint(clone, speechRate).words);
  const errorOf = (samples: Float32Array, words: Uint32Array) => {
    const heard = createQuery(samples, speechRate);
    return Math.min(...startFrames.map((at) => likenessAt(heard, words, { offset: at }).errorRate));
  };
  // Changed tempo and pitch are searched for too: server/upstream/verify/recognition.test.ts.
  const changes = Object.entries(accepted).filter(([change]) => !/^(a child|10 %|lively|flat)/.test(change));
  const found = changes.map(([change, apply]) => ({
    name: `proof, own clones found by their fingerprint, ${change} (${clones.length})`,
    value: percent(
      clones.filter((clone, i) => errorOf(apply(clone), prints[i] as Uint32Array) <= sameBelow).length,
      clones.length,
    ),
    unit: "%",
    reference: "98 % of files, 73 % in a room by the study's trained detector",
  }));
  const people = voices.map(({ samples }) => Math.min(...prints.map((words) => errorOf(samples, words))));
  return [
    ...found,
    {
      name: `proof, recordings of people taken for one of ${clones.length} clones (${people.length})`,
      value: share(people, (error) => error <= sameBelow),
      unit: "%",
      reference: "0 (the study's detector: 1)",
    },
  ];
}
