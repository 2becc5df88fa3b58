import { binCount, hopSeconds, speechRate } from "../../../dsp/grid";
import type { SpokenUnit, TimelinePhoneme, TimelineUnit } from "../../../engine";
import type { Espeak } from "../espeak-process";
import { splitClauses } from "../reading/clauses";
import { readClause } from "../reading/source";
import { type Analysis, analyseSource, withLevels } from "./analysis";
import { speakingSeconds } from "./pace";
import { learnVowels } from "./vocal-tract";

/** Sentences that contain every initial and nearly every rime. */
const text = `chun1 tian1 lai2 le5 , gong1 yuan2 li3 de5 hua1 dou1 kai1 le5 , hai2 zi5 men5 zai4 cao3 di4 shang5 ben1 pao3 ,
lao3 ren2 men5 zai4 shu4 xia4 xia4 qi2 . jin1 tian1 de5 qi4 wen1 shi4 er4 shi2 san1 du4 , fei1 chang2 shi4 he2 chu1 men2
san4 bu4 . xiao2 li3 dai4 zhe5 ta1 de5 xiang4 ji1 , zhun3 bei4 pai1 ji3 zhang1 zhao4 pian4 , fa1 gei2 yuan3 zai4 shang4
hai3 de5 peng2 you5 . ta1 shuo1 zhe4 li3 de5 feng1 jing3 zhen1 mei3 , wo2 xiang2 yong2 yuan3 zhu4 zai4 zhe4 li3 . ren2
gong1 zhi4 neng2 zheng4 zai4 gai3 bian4 wo3 men5 de5 sheng1 huo2 , yu3 yin1 he2 cheng2 ji4 shu4 rang4 ji1 qi4 kai1 kou3
shuo1 hua4 .`;

type Checkpoint = () => Promise<void>;

/** Analysis of the source voice on the calibration text. */
export interface Calibration {
  speech: Analysis;
  /** Their cepstra. */
  vowels: Float64Array[];
  syllablesPerSecond: number;
}

/** Awaits `checkpoint` between clauses, where callers can cancel. */
export async function calibrate(espeak: Espeak, checkpoint: Checkpoint): Promise<Calibration> {
  const reading = await analyseReading(espeak, toUnits(text), checkpoint);
  return {
    ...reading,
    vowels: learnVowels(reading.speech),
    syllablesPerSecond: reading.syllables / speakingSeconds(reading.speech),
  };
}

function toUnits(pinyin: string): SpokenUnit[] {
  return pinyin.split(/\s+/).map((token, offset): SpokenUnit => {
    const place = { text: token, offset, length: 1 };
    if (token === ",") return { kind: "pause", strength: "comma", ...place };
    if (token === ".") return { kind: "pause", strength: "sentence", ...place };
    return { kind: "syllable", pinyin: token, ...place };
  });
}

export interface CalibrationReading {
  speech: Analysis;
  syllables: number;
  /** Times are milliseconds from the start. */
  units: TimelineUnit[];
  phonemes: TimelinePhoneme[];
}

/** Synthesises a text with the source voice, pauses included, and analyses it. */
export async function analyseReading(
  espeak: Espeak,
  units: SpokenUnit[],
  checkpoint: Checkpoint,
): Promise<CalibrationReading> {
  const parts: Part[] = [];
  const times: Pick<CalibrationReading, "units" | "phonemes"> = { units: [], phonemes: [] };
  let frames = 0;
  for (const clause of splitClauses(units, 1)) {
    await checkpoint();
    const clip = await readClause(espeak, clause, 1);
    if (!clip) continue;
    const speech = analyseSource(clip.samples, clip.phonemes);
    parts.push({ speech, from: frames });
    const shift = shiftBy(Math.round(frames * hopSeconds * 1000));
    times.units.push(...clip.units.map(shift));
    times.phonemes.push(...clip.phonemes.map(shift));
    frames += speech.frames + Math.round(clause.pauseAfterMs / 1000 / hopSeconds);
  }
  const syllables = units.filter(({ kind }) => kind === "syllable").length;
  return { speech: joinParts(parts, frames), syllables, ...times };
}

const shiftBy =
  (ms: number) =>
  <T extends { start: number; end: number }>(item: T): T => ({ ...item, start: item.start + ms, end: item.end + ms });

interface Part {
  speech: Analysis;
  /** First frame. */
  from: number;
}

/** Natural log power of a pause. */
const silence = -27;

function joinParts(parts: Part[], frames: number): Analysis {
  const sampleAt = (frame: number) => Math.round(frame * hopSeconds * speechRate);
  const samples = new Float32Array(sampleAt(frames));
  const pitch = new Float32Array(frames);
  const envelope = new Float32Array(frames * binCount).fill(silence);
  for (const { speech, from } of parts) {
    samples.set(speech.samples.subarray(0, samples.length - sampleAt(from)), sampleAt(from));
    pitch.set(speech.pitch, from);
    envelope.set(speech.envelope, from * binCount);
  }
  return withLevels(samples, pitch, envelope);
}
