/** Takes that the verdict must notice, and takes that it must accept, made from recordings of people. */
import { speechRate } from "../../server/speech/dsp/grid";
import { createNoise } from "../../server/speech/dsp/noise";
import { stretch } from "../../server/speech/dsp/stretch";
import { asChild, asSinging, asWhisper, withPitchRange } from "./verdict-voices";

export interface Take {
  /** Name of the speaker; two people are joined by "+". */
  person: string;
  samples: Float32Array;
}

const seconds = (count: number) => Math.round(count * speechRate);

function powerOf(samples: Float32Array): number {
  return samples.reduce((sum, value) => sum + value * value, 0) / Math.max(1, samples.length);
}

/** Two sounds, the second so many dB below the first. */
export function mixAt(one: Float32Array, other: Float32Array, db: number): Float32Array {
  const gain = Math.sqrt(powerOf(one) / Math.max(1e-12, powerOf(other))) * 10 ** (-db / 20);
  return one.map((value, i) => value + gain * (other[i % other.length] as number));
}

type Instrument = "chords" | "melody" | "drums" | "band";
const progression = [
  [0, 4, 7, 12],
  [-3, 0, 4, 9],
  [5, 9, 12, 17],
  [-5, -1, 2, 7],
];
const tune = [12, 16, 19, 16, 21, 19, 16, 14, 12, 14, 16, 12, 9, 12, 7, 9];

/** Music made here: chords of 2 s, a plucked melody of 0.3 s notes, drums at 100 beats a minute, or all three. */
export function playMusic(instrument: Instrument, length: number): Float32Array {
  const out = new Float32Array(length);
  const noise = createNoise(5);
  const add = (at: number, hold: number, value: (t: number) => number) => {
    for (let i = 0; i < seconds(hold) && at + i < length; i++)
      out[at + i] = (out[at + i] as number) + value(i / speechRate);
  };
  const toneOf = (note: number, decay: number, partials: number) => (t: number) => {
    let value = 0;
    for (let k = 1; k <= partials; k++) value += Math.sin(2 * Math.PI * k * 220 * 2 ** (note / 12) * t) / k ** 1.4;
    return value * Math.min(1, t * 80) * Math.exp(-decay * t);
  };
  const has = (wanted: Instrument) => instrument === wanted || instrument === "band";
  if (has("chords"))
    for (let i = 0; i * seconds(2) < length; i++)
      for (const note of progression[i % 4] as number[]) add(i * seconds(2), 2, toneOf(note - 5, 0.7, 5));
  if (has("melody"))
    for (let i = 0; i * seconds(0.3) < length; i++)
      add(i * seconds(0.3), 0.6, toneOf(tune[i % tune.length] as number, 4, 4));
  if (has("drums"))
    for (let i = 0; i * seconds(0.3) < length; i++) {
      if (i % 2 === 0)
        add(
          i * seconds(0.3),
          0.25,
          (t) => 3 * Math.sin(2 * Math.PI * (50 + 60 * Math.exp(-30 * t)) * t) * Math.exp(-14 * t),
        );
      if (i % 4 === 2) add(i * seconds(0.3), 0.2, (t) => 1.5 * noise.gauss() * Math.exp(-22 * t));
      add(i * seconds(0.3), 0.08, (t) => 0.4 * noise.gauss() * Math.exp(-70 * t));
    }
  return out;
}

/** Exponentially decaying noise as a room of `t60` seconds, with the direct sound. */
function inRoom(samples: Float32Array, t60: number): Float32Array {
  const noise = createNoise(9);
  const taps = Array.from({ length: 400 }, () => ({
    at: seconds(t60 * 0.8 * noise.uniform()) + 60,
    sign: noise.gauss(),
  }));
  const out = samples.slice();
  for (const { at, sign } of taps) {
    const gain = 0.09 * sign * 10 ** ((-3 * at) / seconds(t60));
    for (let i = at; i < out.length; i++) out[i] = (out[i] as number) + gain * (samples[i - at] as number);
  }
  return out;
}

/** First-order-pair filters, enough for a telephone's or a laptop's band. */
function bandLimited(samples: Float32Array, lowHz: number, highHz: number): Float32Array {
  const out = samples.slice();
  for (let pass = 0; pass < 3; pass++) {
    const [a, b] = [Math.exp((-2 * Math.PI * lowHz) / speechRate), Math.exp((-2 * Math.PI * highHz) / speechRate)];
    let [last, high, low] = [0, 0, 0];
    for (let i = 0; i < out.length; i++) {
      const value = out[i] as number;
      high = a * (high + value - last);
      last = value;
      low = (1 - b) * high + b * low;
      out[i] = low;
    }
  }
  return out;
}

function withNoise(samples: Float32Array, db: number): Float32Array {
  const noise = createNoise(3);
  return mixAt(
    samples,
    samples.map(() => noise.gauss()),
    db,
  );
}

type Make = (samples: Float32Array) => Float32Array;

/** Recordings that must be accepted without one of the tips. */
export const accepted: Record<string, Make> = {
  "as recorded": (samples) => samples,
  "10 % faster": (samples) => stretch(samples, speechRate, 1.1),
  "10 % slower": (samples) => stretch(samples, speechRate, 0.9),
  "12 dB softer": (samples) => samples.map((value) => value / 4),
  "noise 25 dB below": (samples) => withNoise(samples, 25),
  "noise 15 dB below": (samples) => withNoise(samples, 15),
  "a laptop's microphone": (samples) => bandLimited(samples, 150, 6500),
  "a telephone": (samples) => bandLimited(samples, 300, 3400),
  "a room (0.4 s)": (samples) => inRoom(samples, 0.4),
  "lively: pitch range × 1.5": (samples) => withPitchRange(samples, 1.5),
  "flat: pitch range × 0.6": (samples) => withPitchRange(samples, 0.6),
  "a child: pitch × 1.5, formants × 1.2": (samples) => asChild(samples, { pitch: 1.5, formants: 1.2 }),
};

/** Alterations of one person's recording. */
export const altered: Record<string, Record<string, Make>> = {
  music: Object.fromEntries(
    (["chords", "melody", "drums", "band"] as const).flatMap((instrument) =>
      [20, 10, 5, 0].map((db) => [
        `${instrument} at ${db} dB`,
        (samples: Float32Array) => mixAt(samples, playMusic(instrument, samples.length), db),
      ]),
    ),
  ),
  singing: {
    "with vibrato": (samples) => asSinging(samples),
    straight: (samples) => asSinging(samples, { hasVibrato: false }),
  },
  whisper: { whisper: asWhisper },
};
