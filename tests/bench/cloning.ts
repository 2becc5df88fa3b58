/**
 * Measures the similarity of a cloned voice on held-out audio: each voice is enrolled from the first 60 % of a
 * recording and scored on the last 40 % with sentences that the recording does not contain. `npx tsx
 * tests/bench/cloning.ts FOLDER` runs it separately. The folder contains WAV files.
 */
import { pathToFileURL } from "node:url";
import { prepareText } from "../../server/speech/chinese/prepare";
import { createEspeak } from "../../server/speech/engines/embedded/espeak-process";
import { type Analysis, analyse } from "../../server/speech/engines/embedded/voice/analysis";
import {
  analyseReading,
  type Calibration,
  calibrate,
  type Reading,
} from "../../server/speech/engines/embedded/voice/calibration";
import { render } from "../../server/speech/engines/embedded/voice/conversion";
import { learnVoice } from "../../server/speech/engines/embedded/voice/enrolment";
import { estimateTract } from "../../server/speech/engines/embedded/voice/vocal-tract";
import { colourDistance, pitchError, spectrumError, type VoiceFeatures, voiceFeatures } from "../support/voice-scores";
import { type Row, toTable } from "./row";
import { enrolShare, readVoices } from "./voices";

const unheard = [
  "昨天晚上我和朋友一起去看了一场精彩的足球比赛，大家都非常高兴。",
  "请把窗户关好，外面的风越来越大，可能很快就要下雨了。",
  "学习语言需要每天坚持练习，多听多说才能真正掌握它。",
];

interface Person {
  name: string;
  /** Analysis of the enrolment part, and its own features as the upper bound. */
  enrolment: Analysis;
  enrolmentFeatures: VoiceFeatures;
  heldOut: VoiceFeatures;
}

export async function benchCloning(folder: string): Promise<Row[]> {
  const espeak = createEspeak();
  const calibration = await calibrate(espeak);
  const sentences = await Promise.all(unheard.map((text) => analyseReading(espeak, prepareText(text).units)));
  const people = await readPeople(folder);
  const source = voiceFeatures(join32(sentences.map(({ speech }) => speech.samples)));
  const systems: Record<string, Map<string, VoiceFeatures>> = {
    unconverted: new Map(people.map(({ name }) => [name, source])),
    cloned: new Map(people.map(({ name, enrolment }) => [name, clone(enrolment, calibration, sentences)])),
    "the same person": new Map(people.map((person) => [person.name, person.enrolmentFeatures])),
  };
  espeak.close();
  return Object.entries(systems).flatMap(([system, clones]) => score(system, clones, people));
}

async function readPeople(folder: string): Promise<Person[]> {
  return (await readVoices(folder)).map(({ name, samples }) => {
    const cut = Math.floor(samples.length * enrolShare);
    return {
      name,
      enrolment: analyse(samples.slice(0, cut)),
      enrolmentFeatures: voiceFeatures(samples.slice(0, cut)),
      heldOut: voiceFeatures(samples.slice(cut)),
    };
  });
}

function clone(enrolment: Analysis, calibration: Calibration, sentences: Reading[]): VoiceFeatures {
  const tract = estimateTract(calibration.vowels, enrolment);
  const voice = learnVoice({ target: enrolment, tract, syllablesPerSecond: null }, calibration);
  return voiceFeatures(join32(sentences.map(({ speech }) => render(speech, voice))));
}

function score(system: string, clones: Map<string, VoiceFeatures>, people: Person[]): Row[] {
  const judged = people.flatMap((person) => {
    const features = clones.get(person.name);
    if (!features) return [];
    const distances = people.map(({ heldOut }) => colourDistance(features, heldOut));
    return {
      pitch: pitchError(features, person.heldOut),
      spectrum: spectrumError(features, person.heldOut),
      colour: colourDistance(features, person.heldOut),
      isNearest: people[distances.indexOf(Math.min(...distances))] === person ? 1 : 0,
    };
  });
  const mean = (pick: (entry: (typeof judged)[number]) => number) =>
    judged.reduce((sum, entry) => sum + pick(entry), 0) / Math.max(1, judged.length);
  const [pitch, colour, nearest] = references[system] ?? [];
  const row = (name: string, value: number, unit: string, mark?: string): Row => ({
    name: `${system}: ${name}`,
    value,
    unit,
    ...(mark ? { reference: `${mark} (11 speakers)` } : {}),
  });
  return [
    row(
      "median pitch, error",
      mean((entry) => entry.pitch),
      "st",
      pitch,
    ),
    row(
      "long-term spectrum, error",
      mean((entry) => entry.spectrum),
      "dB",
    ),
    row(
      "colour, Bhattacharyya distance",
      mean((entry) => entry.colour),
      "",
      colour,
    ),
    row(
      `nearest to their own person, of ${judged.length}`,
      mean((entry) => entry.isNearest) * judged.length,
      "",
      nearest,
    ),
  ];
}

/** Median pitch error, spectral distance, and share of voices nearest to their own speaker. */
const references: Record<string, [string, string, string]> = {
  unconverted: ["8.97", "2.94", "1"],
  cloned: ["≤ 2.27", "≤ 1.36", "10"],
  "the same person": ["1.87", "0.60", "11"],
};

function join32(parts: Float32Array[]): Float32Array {
  const joined = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log(toTable("Cloning, held out", await benchCloning(process.argv[2] ?? ".")));
  process.exit(0);
}
