import type { ProofMeasures, ProofRequest } from "../../analysis";
import { resample } from "../../dsp/resample";
import { mean } from "../../dsp/statistics";
import type { PreparedText, TimelineUnit } from "../../engine";
import {
  analyseSound,
  measureDigitalSilence,
  measureHighBand,
  type ProofSound,
  proofRate,
  toFrames,
} from "../../proof/frames";
import { compareSpeakers, describeSpeaker } from "../../proof/speaker";
import { describePhrase, deviationsBelowDecoys, type ProofPhrase, phraseDistance, warps } from "../../proof/words";
import type { Espeak } from "./espeak-process";
import { splitClauses } from "./reading/clauses";
import { readClause } from "./reading/source";
import { analyseReading } from "./voice/calibration";
import { alignTimeline } from "./voice/forced-alignment";

type Checkpoint = () => Promise<void>;

/** Changes when the same recordings would be measured differently. */
const versions = { words: "dtw-1", speaker: "cepstra-1", copies: "patches-1", silence: "inner-1" };
/** Frames of 10 ms around a line. */
const margin = 3;

/** Measures whether a recording says the asked words in the voice of the reference, and is not cut from it. */
export async function measureProof(
  { reference, spoken, statement, lines, decoys }: ProofRequest,
  espeak: Espeak,
  checkpoint: Checkpoint,
): Promise<ProofMeasures> {
  const [sound, enrolled] = [spoken, reference].map(({ samples, sampleRate }) =>
    analyseSound(resample(samples, sampleRate, proofRate)),
  ) as [ProofSound, ProofSound];
  await checkpoint();
  const words = await measureWords({ spoken, sound, texts: [statement, ...lines], decoys }, espeak, checkpoint);
  await checkpoint();
  const [voice, known] = [describeSpeaker(sound), describeSpeaker(enrolled)];
  await checkpoint();
  const copies = findCopies(sound, enrolled);
  const shareAbove = (least: number) => copies.filter((value) => value > least).length / Math.max(1, copies.length);
  return {
    words,
    speaker: voice && known ? compareSpeakers(known, voice) : null,
    copied: { identical: shareAbove(0.9), alike: shareAbove(0.8) },
    highBandDb: measureHighBand(sound),
    silence: measureDigitalSilence(spoken),
    versions,
  };
}

interface WordsRequest {
  spoken: ProofRequest["spoken"];
  sound: ProofSound;
  /** The statement first. */
  texts: PreparedText[];
  decoys: PreparedText[];
}

/**
 * Finds the lines by aligning the whole text, then compares each with its own reading and with the decoys'. The
 * vocal-tract ratio is the one that fits the statement, whose words are known.
 */
async function measureWords({ spoken, sound, texts, decoys }: WordsRequest, espeak: Espeak, checkpoint: Checkpoint) {
  const pcm = Int16Array.from(spoken.samples, (value) => Math.round(value * 32_767));
  const reading = await analyseReading(espeak, joinTexts(texts), checkpoint);
  const { timeline } = await alignTimeline(reading, { pcm, sampleRate: spoken.sampleRate }, checkpoint);
  const parts = splitUnits(timeline.units, texts);
  const describe = (part: TimelineUnit[]) => describePhrase(sound, framesOf(part, sound.spectra.length));
  const [statement = [], ...lines] = parts.map(describe).map((phrase) => [phrase]);
  const [statementReading, ...lineReadings] = await Promise.all(texts.map((text) => readTemplates(text, espeak)));
  const fits = statementReading?.map((template) => phraseDistance(statement[0] as ProofPhrase, template)) ?? [];
  const warp = fits.indexOf(Math.min(...fits));
  const decoyReadings = await Promise.all(decoys.map((decoy) => readTemplates(decoy, espeak)));
  const costs: number[][] = [];
  for (const [i, [phrase]] of lines.entries()) {
    await checkpoint();
    const templates = [lineReadings[i], ...decoyReadings].map((all) => all?.[warp] as ProofPhrase);
    costs.push(templates.map((template) => phraseDistance(phrase as ProofPhrase, template)));
  }
  const sums = (costs[0] ?? []).map((_, i) => costs.reduce((sum, line) => sum + (line[i] as number), 0));
  return { all: deviationsBelowDecoys(sums), lines: costs.map(deviationsBelowDecoys) };
}

/** One text with a pause between its parts. */
function joinTexts(texts: PreparedText[]): PreparedText["units"] {
  const pause = { kind: "pause", strength: "sentence", text: "。", offset: 0, length: 1 } as const;
  return texts.flatMap(({ units }) => [...units.filter(({ kind }) => kind !== "pause"), pause]);
}

/** The aligned units of each text. */
function splitUnits(units: TimelineUnit[], texts: PreparedText[]): TimelineUnit[][] {
  let from = 0;
  return texts.map((text) => {
    const count = text.units.filter(({ kind }) => kind !== "pause").length;
    from += count;
    return units.slice(from - count, from);
  });
}

function framesOf(part: TimelineUnit[], frames: number): [number, number] {
  const from = Math.floor((part[0]?.start ?? 0) / 10) - margin;
  const to = Math.ceil((part.at(-1)?.end ?? 0) / 10) + margin;
  // At least a second, so that a line that was not spoken can be compared too.
  const start = Math.max(0, Math.min(from, frames - 100));
  return [start, Math.min(frames, Math.max(to, start + 100))];
}

/** The source voice's reading of a text at every vocal-tract ratio. */
async function readTemplates(text: PreparedText, espeak: Espeak): Promise<ProofPhrase[]> {
  const sound = await readSound(text, espeak);
  return warps.map((warp) => describePhrase(sound, [0, sound.spectra.length], warp));
}

async function readSound({ units }: PreparedText, espeak: Espeak): Promise<ProofSound> {
  const samples: number[] = [];
  for (const clause of splitClauses(units, 1)) {
    const clip = await readClause(espeak, clause, 1);
    if (clip) for (const value of resample(clip.samples, clip.sampleRate, proofRate)) samples.push(value);
  }
  return analyseSound(Float32Array.from(samples));
}

const bands = 24;
/** Frames of a patch: a quarter of a second. */
const span = 25;
const size = bands * span;
/** Frames between the patches that are looked up. */
const stride = 5;
/** Share of active frames that a patch needs to be looked up. */
const spokenShare = 0.8;
/** Log energies below a band's mean are held here. */
const floor = -6;
/** Patches that hardly change are not brought to unit length. */
const leastNorm = 8;

/**
 * Looks for parts of one recording in another: for every quarter second of speech in `spoken`, its best correlation with
 * any quarter second of `reference`. A person never says a syllable twice exactly alike.
 */
function findCopies(spoken: ProofSound, reference: ProofSound): number[] {
  const ours = patchesOf(spoken, stride, spokenShare);
  const theirs = patchesOf(reference, 1, 0);
  return ours.map((patch) => {
    let best = -1;
    for (const other of theirs) {
      let sum = 0;
      for (let i = 0; i < size; i++) sum += (patch[i] as number) * (other[i] as number);
      if (sum > best) best = sum;
    }
    return best;
  });
}

function patchesOf(sound: ProofSound, every: number, leastShare: number): Float32Array[] {
  const { mel, active } = toFrames(sound, { bands, lowestHz: 150, highestHz: 5500 });
  const spoken = mel.filter((_, f) => active[f]);
  const means = Array.from({ length: bands }, (_, b) => mean(spoken.map((row) => row[b] as number)));
  const levels = mel.map((row) => row.map((value, b) => Math.max(value - (means[b] as number), floor)));
  const patches: Float32Array[] = [];
  for (let f = 0; f + span < levels.length; f += every) {
    const share = active.slice(f, f + span).filter(Boolean).length / span;
    if (leastShare === 0 || share > leastShare) patches.push(toPatch(levels.slice(f, f + span)));
  }
  return patches;
}

/** Each band without its mean, the whole at unit length. */
function toPatch(rows: Float64Array[]): Float32Array {
  const patch = new Float32Array(size);
  let square = 0;
  for (let b = 0; b < bands; b++) {
    const level = mean(rows.map((row) => row[b] as number));
    for (const [i, row] of rows.entries()) {
      const value = (row[b] as number) - level;
      patch[b * span + i] = value;
      square += value * value;
    }
  }
  const norm = Math.max(leastNorm, Math.sqrt(square));
  return patch.map((value) => value / norm);
}
