/**
 * Compares the sound of cloned voices with the recordings they were learned from: spread and change of spectra, long-term
 * spectrum, regularity of the voice, clarity. `npx tsx tests/bench/sound.ts FOLDER` runs it separately; the folder is
 * that of the section `cloning`. A voice is learned from the first 60 % of a recording and scored on the last 40 %.
 */
import { pathToFileURL } from "node:url";
import { prepareText } from "../../server/speech/chinese/prepare";
import { speechRate } from "../../server/speech/dsp/grid";
import { measureLoudness } from "../../server/speech/dsp/loudness";
import type { TimelinePhoneme, VoiceDesign } from "../../server/speech/engine";
import { createEspeak, type Espeak } from "../../server/speech/engines/embedded/espeak-process";
import { speak } from "../../server/speech/engines/embedded/speaking";
import { type Analysis, analyse } from "../../server/speech/engines/embedded/voice/analysis";
import { analyseReading, type Calibration, calibrate } from "../../server/speech/engines/embedded/voice/calibration";
import { designVoice } from "../../server/speech/engines/embedded/voice/design";
import { learnVoice } from "../../server/speech/engines/embedded/voice/enrolment";
import { tractFromVowels } from "../../server/speech/engines/embedded/voice/vocal-tract";
import { type EmbeddedVoice, engineId, engineVersion } from "../../server/speech/engines/embedded/voice/voice";
import { master } from "../../server/speech/mastering";
import { measurePhonation, type Phonation } from "../support/phonation";
import { phoneAccuracy } from "../support/phone-classifier";
import { frechetDistance, type SpeechStatistics, speechStatistics, thirdOctaveHz } from "../support/speech-statistics";
import { colourDistance, pitchError, type VoiceFeatures, voiceFeatures } from "../support/voice-scores";
import { type Row, toTable } from "./row";
import { enrolShare, readTranscripts, readVoices } from "./voices";

const unheard = [
  "昨天晚上我和朋友一起去看了一场精彩的足球比赛，大家都非常高兴。",
  "请把窗户关好，外面的风越来越大，可能很快就要下雨了。",
  "学习语言需要每天坚持练习，多听多说才能真正掌握它。",
  "这家小店的牛肉面味道不错，老板也很热情，我们常去吃。",
  "图书馆里非常安静，只有翻书的声音，偶尔有人轻轻走过。",
  "春天的公园里开满了花，孩子们追着风筝跑来跑去。",
  "他从抽屉里拿出一封旧信，慢慢地读完，然后笑了笑。",
  "火车站前面的广场上站着许多旅客，有的在等车，有的在告别。",
];

const designs: VoiceDesign[] = [
  { pitchHz: 210, pitchSpreadSt: 3, tract: 1.16, breath: 0.2, tilt: -1, rate: 1 },
  { pitchHz: 110, pitchSpreadSt: 2.5, tract: 1, breath: 0.1, tilt: 0, rate: 1 },
];

/** Everything that is measured of one sound. */
interface Scored {
  statistics: SpeechStatistics;
  phonation: Phonation;
  features: VoiceFeatures;
  /** Second differences above a tenth of the peak, per second. */
  clicks: number;
}

interface Rendition {
  samples: Float32Array;
  phonemes: TimelinePhoneme[];
}

export async function benchSound(folder: string): Promise<Row[]> {
  const espeak = createEspeak();
  const calibration = await calibrate(espeak);
  const transcripts = readTranscripts(folder);
  const voices = await readVoices(folder);
  const source = await Promise.all(
    unheard.map(async (text) => {
      const { speech, phonemes } = await analyseReading(espeak, prepareText(text).units);
      return { samples: speech.samples, phonemes };
    }),
  );
  const rows: Row[] = [];
  const people = await Promise.all(
    voices.map(async ({ name, samples }) => {
      const cut = Math.floor(samples.length * enrolShare);
      const [enrolled, heldOut] = [samples.slice(0, cut), samples.slice(cut)];
      const voice = learn(analyse(enrolled), calibration);
      const clones: Rendition[] = [];
      for (const text of unheard) clones.push(await say(espeak, text, voice));
      const ownText = transcripts.get(name);
      const ownVoice = learn(analyse(samples), calibration);
      const reread = ownText ? scoreSound((await say(espeak, ownText, ownVoice)).samples) : null;
      return {
        profileKb: JSON.stringify(ownVoice).length / 1000,
        enrolled: scoreSound(enrolled),
        heldOut: scoreSound(heldOut),
        whole: scoreSound(samples),
        reread,
        clones,
        clone: scoreSound(join(clones)),
        accuracy: phoneAccuracy(clones),
      };
    }),
  );
  const designed: Rendition[][] = [];
  for (const design of designs) {
    const voice = designVoice(design).parameters as EmbeddedVoice;
    designed.push(await Promise.all(unheard.slice(0, 4).map((text) => say(espeak, text, voice))));
  }
  espeak.close();
  const raw = scoreSound(join(source));
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const meanOf = (pick: (person: (typeof people)[number]) => number) => mean(people.map(pick));
  const row = (name: string, value: number, unit: string, reference: string) =>
    rows.push({ name, value, unit, reference });
  const vectorsOf = (pick: (person: (typeof people)[number]) => Scored) =>
    people.flatMap((person) => pick(person).statistics.vectors);
  const frechet = (pick: (person: (typeof people)[number]) => Scored) =>
    frechetDistance(
      vectorsOf(pick),
      vectorsOf(({ heldOut }) => heldOut),
    );
  const versus = (pick: (scored: Scored) => number) =>
    `people ${meanOf(({ whole }) => pick(whole)).toFixed(2)}, eSpeak ${pick(raw).toFixed(2)}`;
  row(
    "Fréchet distance, held out",
    frechet(({ clone }) => clone),
    "",
    `≤ 2.0; same person ${frechet(({ enrolled }) => enrolled).toFixed(2)}, eSpeak ${frechet(() => raw).toFixed(2)}`,
  );
  const reread = people.filter((person) => person.reread !== null);
  row(
    "Fréchet distance, the recording's own text",
    frechetDistance(
      reread.flatMap(({ reread: own }) => (own as Scored).statistics.vectors),
      reread.flatMap(({ whole }) => whole.statistics.vectors),
    ),
    "",
    "",
  );
  const bias = thirdOctaveHz.map((_, i) =>
    mean(
      reread.map(({ reread: own, whole }) => (own?.statistics.spectrum[i] ?? 0) - (whole.statistics.spectrum[i] ?? 0)),
    ),
  );
  row(
    `long-term spectrum of the recording's own text, largest bias of a third octave (at ${atLargest(bias)} Hz)`,
    Math.max(...bias.map(Math.abs)),
    "dB",
    "≤ 1",
  );
  const rms = (values: number[]) => Math.sqrt(mean(values.map((value) => value * value)));
  row("the same, rms of the bias", rms(bias), "dB", "");
  row(
    "the same, rms of a person",
    mean(reread.map(({ reread: own, whole }) => rms(gaps(own?.statistics.spectrum, whole.statistics.spectrum)))),
    "dB",
    `same person, other words ${meanOf(({ enrolled, heldOut }) => rms(gaps(enrolled.statistics.spectrum, heldOut.statistics.spectrum))).toFixed(2)}`,
  );
  for (const [name, unit, pick] of [
    ["global variance of cepstra", "", ({ statistics }) => statistics.globalVariance],
    ["change of cepstra in 10 ms", "", ({ statistics }) => statistics.cepstralChange],
    ["jitter", "%", ({ phonation }) => phonation.jitter],
    ["shimmer", "%", ({ phonation }) => phonation.shimmer],
    ["harmonics to noise", "dB", ({ phonation }) => phonation.harmonicsDb],
    ["sharp second differences", "/s", ({ clicks }) => clicks],
  ] as Array<[string, string, (scored: Scored) => number]>) {
    row(
      name,
      meanOf(({ clone }) => pick(clone)),
      unit,
      versus(pick),
    );
  }
  row(
    "modulation spectrum, 1–32 Hz, error",
    meanOf(({ clone, whole }) => rms(gaps(clone.statistics.modulation, whole.statistics.modulation))),
    "dB",
    `eSpeak ${meanOf(({ whole }) => rms(gaps(raw.statistics.modulation, whole.statistics.modulation))).toFixed(2)}`,
  );
  row(
    "clarity: phones told apart by a linear classifier",
    100 * meanOf(({ accuracy }) => accuracy),
    "%",
    `eSpeak ${(100 * phoneAccuracy(source)).toFixed(1)}`,
  );
  row(
    "median pitch, error, held out",
    meanOf(({ clone, heldOut }) => pitchError(clone.features, heldOut.features)),
    "st",
    `≤ 1.9; same person ${meanOf(({ enrolled, heldOut }) => pitchError(enrolled.features, heldOut.features)).toFixed(2)}`,
  );
  row(
    "colour distance, held out",
    meanOf(({ clone, heldOut }) => colourDistance(clone.features, heldOut.features)),
    "",
    `≤ 1.15; same person ${meanOf(({ enrolled, heldOut }) => colourDistance(enrolled.features, heldOut.features)).toFixed(2)}`,
  );
  const nearest = people.filter((person) => {
    const distances = people.map(({ heldOut }) => colourDistance(person.clone.features, heldOut.features));
    return people[distances.indexOf(Math.min(...distances))] === person;
  });
  row(`nearest to their own person, of ${people.length}`, nearest.length, "", String(people.length));
  const loudness = people.flatMap(({ clones }) => clones.map(({ samples }) => measureLoudness(samples, speechRate)));
  row(
    "loudness, largest distance from −19 LUFS",
    Math.max(...loudness.map((lufs) => Math.abs(lufs + 19))),
    "LU",
    "≤ 1",
  );
  row(
    "Fréchet distance of two designed voices to the people",
    frechetDistance(
      designed.flatMap((clones) => speechStatistics(join(clones)).vectors),
      vectorsOf(({ heldOut }) => heldOut),
    ),
    "",
    `eSpeak ${frechet(() => raw).toFixed(2)}`,
  );
  row("profile learned from a whole recording", Math.max(...people.map(({ profileKb }) => profileKb)), "kB", "≤ 150");
  return rows;
}

const gaps = (a: number[] = [], b: number[] = []) => a.map((value, i) => value - (b[i] ?? 0));
const atLargest = (bias: number[]) => {
  const sizes = bias.map(Math.abs);
  return Math.round(thirdOctaveHz[sizes.indexOf(Math.max(...sizes))] ?? 0);
};

function learn(target: Analysis, calibration: Calibration): EmbeddedVoice {
  return learnVoice({ target, tract: tractFromVowels(calibration.vowels, target) }, calibration);
}

async function say(espeak: Espeak, content: string, voice: EmbeddedVoice): Promise<Rendition> {
  const profile = { engine: engineId, version: engineVersion, parameters: voice };
  const chunks = [];
  const request = { text: prepareText(content), voice: profile, speed: 1 };
  for await (const chunk of speak(request, espeak, async () => {})) chunks.push(chunk);
  const { pcm, timeline } = master(chunks);
  const samples = Float32Array.from(pcm, (value) => value / 32768);
  if (samples.some((value) => !Number.isFinite(value))) throw new Error(`Not a number in ${content}`);
  return { samples, phonemes: timeline?.phonemes ?? [] };
}

function scoreSound(samples: Float32Array): Scored {
  return {
    statistics: speechStatistics(samples),
    phonation: measurePhonation(samples),
    features: voiceFeatures(samples),
    clicks: clicksPerSecond(samples),
  };
}

function clicksPerSecond(samples: Float32Array): number {
  const level = Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / samples.length);
  let count = 0;
  for (let i = 2; i < samples.length; i++) {
    const bend = (samples[i] as number) - 2 * (samples[i - 1] as number) + (samples[i - 2] as number);
    if (Math.abs(bend) > 2.5 * level) count++;
  }
  return (count * speechRate) / samples.length;
}

function join(renditions: Rendition[]): Float32Array {
  const joined = new Float32Array(renditions.reduce((sum, { samples }) => sum + samples.length, 0));
  let at = 0;
  for (const { samples } of renditions) {
    joined.set(samples, at);
    at += samples.length;
  }
  return joined;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log(toTable("Sound of cloned voices", await benchSound(process.argv[2] ?? ".")));
  process.exit(0);
}
