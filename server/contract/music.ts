/**
 * A bed of music under a dub, computed from numbers alone: the server mixes with it, and the browser plays the same mix
 * before the export. Samples are mono, in −1…1.
 */

/** Loops that this module makes itself. */
export const musicLoops = ["calm", "bright", "tense"] as const;
export type MusicLoop = (typeof musicLoops)[number];
/** `own` is an uploaded file. */
export const musicTracks = [...musicLoops, "own"] as const;
export type MusicTrack = (typeof musicTracks)[number];

/** LUFS of speech and of music before its level. */
export const speechLufs = -19;

/** Decibels and seconds: the least, the most and the preset. */
export const musicRanges = {
  /** Relative to speech, where nothing is spoken. */
  level: { min: -20, max: 0, preset: -8 },
  /** Further attenuation of the music during speech. */
  duck: { min: 9, max: 24, preset: 12 },
  fadeIn: { min: 0, max: 10, preset: 2 },
  /** The music goes on for this time after the last word. */
  fadeOut: { min: 0, max: 10, preset: 4 },
} as const;
export type MusicSettings = Record<keyof typeof musicRanges, number>;

export const musicPresets: MusicSettings = {
  level: musicRanges.level.preset,
  duck: musicRanges.duck.preset,
  fadeIn: musicRanges.fadeIn.preset,
  fadeOut: musicRanges.fadeOut.preset,
};

/** Steps of the analysis and of the gain. */
export const stepsPerSecond = 100;
/** −45 dBFS; a louder step is speech. */
const spokenLevel = 10 ** (-45 / 20);
const attackSeconds = 0.25;
const holdSeconds = 0.4;
const releaseSeconds = 0.8;
/** The sum of speech and music stays below −1.2 dBFS: the music gives way, the speech is never changed. */
const ceiling = 10 ** (-1.2 / 20);
/** Prevents a click where no fade is wanted. */
const leastFadeSeconds = 0.03;

/** Speech in steps: its root mean square and its peak. */
export interface SpeechSteps {
  rms: Float32Array;
  peak: Float32Array;
}

export function measureSteps(samples: ArrayLike<number>, sampleRate: number, fullScale = 1): SpeechSteps {
  const count = Math.ceil((samples.length * stepsPerSecond) / sampleRate);
  const steps = { rms: new Float32Array(count), peak: new Float32Array(count) };
  for (let step = 0; step < count; step++) {
    const from = Math.round((step * sampleRate) / stepsPerSecond);
    const to = Math.min(samples.length, Math.round(((step + 1) * sampleRate) / stepsPerSecond));
    let [sum, peak] = [0, 0];
    for (let i = from; i < to; i++) {
      const value = (samples[i] as number) / fullScale;
      sum += value * value;
      peak = Math.max(peak, Math.abs(value));
    }
    steps.rms[step] = Math.sqrt(sum / Math.max(1, to - from));
    steps.peak[step] = peak;
  }
  return steps;
}

/**
 * The gain of music at −19 LUFS in each step, the fade after the last step included: lowered before speech begins, raised
 * some time after it ends. `musicPeak`: the largest sample of the music.
 */
export function musicGains({ rms, peak }: SpeechSteps, settings: MusicSettings, musicPeak: number): Float32Array {
  const tail = Math.round(settings.fadeOut * stepsPerSecond);
  const gains = new Float32Array(rms.length + tail);
  const ducked = duckedDb(rms, gains.length, settings.duck);
  const fadeIn = Math.max(leastFadeSeconds, settings.fadeIn) * stepsPerSecond;
  const fadeOut = Math.max(leastFadeSeconds, settings.fadeOut) * stepsPerSecond;
  for (let i = 0; i < gains.length; i++) {
    const fade = Math.min(1, i / fadeIn) * Math.min(1, (gains.length - 1 - i) / fadeOut);
    const wanted = 10 ** ((settings.level - (ducked[i] as number)) / 20) * Math.sin((Math.PI / 2) * fade) ** 2;
    const near = Math.max(peak[i - 1] ?? 0, peak[i] ?? 0, peak[i + 1] ?? 0);
    gains[i] = Math.min(wanted, Math.max(0, ceiling - near) / Math.max(musicPeak, 1e-6));
  }
  return gains;
}

/** Decibels to take away in each step: `depth` during speech and `holdSeconds` after it, with ramps in decibels. */
function duckedDb(rms: Float32Array, count: number, depth: number): Float32Array {
  const ducked = new Float32Array(count);
  let held = 0;
  for (let i = 0; i < count; i++) {
    held = (rms[i] ?? 0) > spokenLevel ? holdSeconds * stepsPerSecond : held - 1;
    const before = (ducked[i - 1] ?? 0) - depth / (releaseSeconds * stepsPerSecond);
    ducked[i] = held > 0 ? depth : Math.max(0, before);
  }
  for (let i = count - 2; i >= 0; i--)
    ducked[i] = Math.max(ducked[i] as number, (ducked[i + 1] as number) - depth / (attackSeconds * stepsPerSecond));
  return ducked;
}

/** Adds music, repeated, to samples from `from` on, in place. */
export function addMusic(
  into: Float32Array,
  {
    music,
    gains,
    sampleRate,
    from = 0,
  }: { music: Float32Array; gains: Float32Array; sampleRate: number; from?: number },
): void {
  for (let i = 0; i < into.length; i++) {
    const at = from + i;
    const place = (at * stepsPerSecond) / sampleRate;
    const step = Math.floor(place);
    const before = gains[step] ?? 0;
    const gain = before + ((gains[step + 1] ?? before) - before) * (place - step);
    into[i] = (into[i] as number) + gain * (music[at % music.length] as number);
  }
}

/** The largest sample. */
export const peakOf = (samples: Float32Array) => samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

interface Preview {
  bed: Float32Array;
  /** Spoken lines; without any, music alone. */
  lines: readonly Float32Array[];
  settings: MusicSettings;
  sampleRate: number;
  /** LUFS of the bed; measured without the weighting of the ear where it is unknown. */
  loudness: number | undefined;
}

const leadSeconds = 2;
const pauseSeconds = 1.5;
const musicOnlySeconds = 12;

/** The mix that the server would make of these lines, one after the other. */
export function mixPreview({ bed, lines, settings, sampleRate, loudness = powerDb(bed) }: Preview) {
  const spokenSeconds = lines.reduce((sum, { length }) => sum + length / sampleRate + pauseSeconds, 0);
  const speech = new Float32Array(Math.round((leadSeconds + (spokenSeconds || musicOnlySeconds)) * sampleRate));
  let at = leadSeconds * sampleRate;
  for (const line of lines) {
    speech.set(line, at);
    at += line.length + pauseSeconds * sampleRate;
  }
  const gain = 10 ** ((speechLufs - loudness) / 20);
  const music = bed.map((value) => value * gain);
  const gains = musicGains(measureSteps(speech, sampleRate), settings, peakOf(music));
  const mixed = new Float32Array(speech.length + Math.round(settings.fadeOut * sampleRate));
  mixed.set(speech);
  addMusic(mixed, { music, gains, sampleRate });
  return mixed;
}

const powerDb = (samples: Float32Array) =>
  10 * Math.log10(samples.reduce((sum, value) => sum + value * value, 1e-9) / samples.length);
