/**
 * Measures what the verdict on a recording notices and what it notices wrongly, with mixtures made from the recordings
 * in a folder: `person.wav` or `person-1.wav`. The limits are those of the product, and were chosen with these
 * people in sight among others.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { measureCharacter } from "../../server/contract/recording/character";
import { analyseFrames } from "../../server/contract/recording/frames";
import { assessRecording } from "../../server/contract/recording/judge";
import type { RecordingQuality, RecordingTip } from "../../server/contract/recording/quality";
import { speechRate } from "../../server/speech/dsp/grid";
import { resample } from "../../server/speech/dsp/resample";
import { normaliseLevel } from "../../server/speech/engines/embedded/voice/enrolment";
import { decodeRecording } from "../../server/speech/recording/decode";
import type { Row } from "./row";
import { accepted, altered, type Take } from "./verdict-sounds";

/** A song without vibrato may be taken for music; both are refused. */
const tipsOf: Record<string, RecordingTip[]> = {
  music: ["music"],
  singing: ["singing", "music"],
  whisper: ["whisper"],
};
const ofCharacter: RecordingTip[] = ["music", "singing", "whisper", "no-speech"];

/** Measures with a limit, and the family of sounds that each is for. */
const measures = {
  music: "steadyShare",
  drums: "beat",
  singing: "heldShare",
} as const;
type Family = keyof typeof measures;
/** Distance of a held-out limit above the highest value of the other people. */
const margin = 1.1;

interface Measured {
  people: string[];
  /** null for harmless takes. */
  family: Family | null;
  values: Record<Family, number>;
}

interface Count {
  takes: number;
  noticed: number;
  refused: number;
}

export async function benchVerdict(folder: string): Promise<Row[]> {
  const takes = await readTakes(folder);
  const counts = new Map<string, Count>();
  const measured: Measured[] = [];
  const started = process.cpuUsage();
  let soundSeconds = 0;
  const count = (name: string, samples: Float32Array, isNoticed: (quality: RecordingQuality) => boolean) => {
    const quality = assessRecording({ samples, sampleRate: speechRate });
    const known = counts.get(name) ?? { takes: 0, noticed: 0, refused: 0 };
    const noticed = isNoticed(quality);
    counts.set(name, {
      takes: known.takes + 1,
      noticed: known.noticed + Number(noticed),
      refused: known.refused + Number(noticed && quality.verdict === "refused"),
    });
    soundSeconds += samples.length / speechRate;
  };
  const measure = (people: string[], family: Family | null, samples: Float32Array) => {
    const character = measureCharacter(analyseFrames(samples, speechRate));
    const { steadyShare: music, heldShare: singing, beat: drums } = character;
    measured.push({ people, family, values: { music, drums, singing } });
  };
  const has = (wanted: RecordingTip[]) => (quality: RecordingQuality) =>
    quality.tips.some((tip) => wanted.includes(tip));
  for (const { person, samples } of takes) {
    for (const [name, make] of Object.entries(accepted)) {
      const sound = make(samples);
      count(`false alarms, ${name}`, sound, ({ tips }) => tips.some((tip) => ofCharacter.includes(tip)));
      measure([person], null, sound);
    }
    for (const [kind, makes] of Object.entries(altered))
      for (const [name, make] of Object.entries(makes)) {
        const sound = make(samples);
        count(`${kind} noticed, ${name}`, sound, has(tipsOf[kind] ?? []));
        const family = name.startsWith("drums") ? "drums" : kind;
        if (family in measures) measure([person], family as Family, sound);
      }
  }
  const ms = (process.cpuUsage(started).user / 1000 / soundSeconds) * 30;
  return [
    ...toRows(counts),
    ...withHeldOutLimits(measured),
    { name: "processor time of mixing and judging 30 s", value: ms, unit: "ms" },
  ];
}

/** The same measures with limits from the harmless takes of the other people only. */
function withHeldOutLimits(measured: readonly Measured[]): Row[] {
  const families = Object.keys(measures) as Family[];
  const exceeds = (take: Measured, family: Family) => {
    const others = measured.filter(
      ({ family: kind, people }) => kind === null && !people.some((one) => take.people.includes(one)),
    );
    return take.values[family] > margin * Math.max(...others.map(({ values }) => values[family]));
  };
  const share = (takes: Measured[], test: (take: Measured) => boolean) =>
    (100 * takes.filter(test).length) / takes.length;
  const harmless = measured.filter(({ family }) => family === null);
  const row = (name: string, value: number, reference: string): Row => ({
    name: `limits of the other people: ${name}`,
    value,
    unit: "%",
    reference,
  });
  return [
    row(
      "false alarms",
      share(harmless, (take) => families.some((family) => exceeds(take, family))),
      "≤ 2",
    ),
    ...families.map((family) => {
      const takes = measured.filter((take) => take.family === family);
      return row(
        `${family} noticed, of ${takes.length} takes`,
        share(takes, (take) => exceeds(take, family)),
        "≥ 90",
      );
    }),
  ];
}

async function readTakes(folder: string): Promise<Take[]> {
  const files = readdirSync(folder).filter((file) => file.endsWith(".wav"));
  return Promise.all(
    files.sort().map(async (file) => {
      const { samples, sampleRate } = await decodeRecording(readFileSync(join(folder, file)));
      const person = file.replace(/(-\d+)?\.wav$/, "");
      return { person, samples: normaliseLevel(resample(samples, sampleRate, speechRate)) };
    }),
  );
}

function toRows(counts: Map<string, Count>): Row[] {
  const rows = [...counts].map(([name, { takes, noticed, refused }]) => ({
    name: `${name}: of ${takes} takes, ${refused} refused`,
    value: (100 * noticed) / takes,
    unit: "%",
    reference: name.startsWith("false") ? "≤ 2" : "≥ 90",
  }));
  const alarms = [...counts].filter(([name]) => name.startsWith("false")).map(([, value]) => value);
  const takes = alarms.reduce((sum, value) => sum + value.takes, 0);
  const wrong = alarms.reduce((sum, value) => sum + value.noticed, 0);
  const all = {
    name: `false alarms, all of ${takes} takes`,
    value: (100 * wrong) / takes,
    unit: "%",
    reference: "≤ 2",
  };
  return [all, ...rows];
}
