/** Synthetic audio for tests, deterministic per seed. Mono, −1…1. */

export interface Sound {
  samples: Float32Array;
  sampleRate: number;
}

interface Options {
  seconds: number;
  sampleRate?: number;
  seed?: number;
}

const defaultRate = 22_050;

/** A random number generator in 0…1 (mulberry32). */
export function createRandom(seed = 1): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export function silence({ seconds, sampleRate = defaultRate }: Options): Sound {
  return { samples: new Float32Array(Math.round(seconds * sampleRate)), sampleRate };
}

export function tone({
  seconds,
  sampleRate = defaultRate,
  hz = 440,
  level = 0.5,
}: Options & { hz?: number; level?: number }): Sound {
  const { samples } = silence({ seconds, sampleRate });
  for (let i = 0; i < samples.length; i++) samples[i] = level * Math.sin((2 * Math.PI * hz * i) / sampleRate);
  return { samples, sampleRate };
}

export function noise({ seconds, sampleRate = defaultRate, seed, level = 0.3 }: Options & { level?: number }): Sound {
  const random = createRandom(seed);
  const { samples } = silence({ seconds, sampleRate });
  for (let i = 0; i < samples.length; i++) samples[i] = level * (random() * 2 - 1);
  return { samples, sampleRate };
}

const drawnSpeech = new Map<string, Float32Array>();

/**
 * Syllables of a noisy onset and a voiced glide through three formants, in phrases with pauses. Equal sounds are drawn
 * once per worker and copied.
 */
export function speechLike(options: Options & { pitchHz?: number; level?: number }): Sound {
  const key = JSON.stringify(options);
  const samples = drawnSpeech.get(key) ?? drawSpeech(options);
  drawnSpeech.set(key, samples);
  return { samples: samples.slice(), sampleRate: options.sampleRate ?? defaultRate };
}

function drawSpeech({
  seconds,
  sampleRate = defaultRate,
  seed,
  pitchHz = 150,
  level = 0.5,
}: Options & { pitchHz?: number; level?: number }): Float32Array {
  const random = createRandom(seed);
  const { samples } = silence({ seconds, sampleRate });
  let at = Math.round(0.2 * sampleRate);
  for (let syllable = 0; at < samples.length - 0.35 * sampleRate; syllable++) {
    const length = Math.round((0.16 + 0.1 * random()) * sampleRate);
    drawSyllable(samples.subarray(at, at + length), { sampleRate, pitchHz, random });
    const isPhraseEnd = syllable % 7 === 6;
    at += length + Math.round((isPhraseEnd ? 0.3 : 0.02 + 0.03 * random()) * sampleRate);
  }
  return scaledTo(samples, level);
}

const vowels = [
  [800, 1200, 2600],
  [350, 2200, 2900],
  [400, 900, 2500],
  [500, 1700, 2500],
] as const;

function drawSyllable(
  into: Float32Array,
  { sampleRate, pitchHz, random }: { sampleRate: number; pitchHz: number; random: () => number },
): void {
  const vowel = vowels[Math.floor(random() * vowels.length)] ?? vowels[0];
  const startHz = pitchHz * 2 ** ((random() * 8 - 4) / 12);
  const endHz = pitchHz * 2 ** ((random() * 8 - 4) / 12);
  const hiss = Math.round(into.length * (0.1 + 0.15 * random()));
  let phase = 0;
  for (let i = 0; i < hiss; i++) into[i] = 0.12 * (random() * 2 - 1) * Math.sin((Math.PI * i) / hiss);
  for (let i = hiss; i < into.length; i++) {
    const share = (i - hiss) / (into.length - hiss);
    const hz = startHz + (endHz - startHz) * share;
    phase += (2 * Math.PI * hz) / sampleRate;
    const envelope = Math.sin(Math.PI * share) ** 0.6;
    let value = 0;
    for (let harmonic = 1; harmonic * hz < Math.min(4000, sampleRate / 2); harmonic++) {
      const strength = vowel.reduce((sum, formant) => sum + 1 / (1 + ((harmonic * hz - formant) / 120) ** 2), 0.03);
      value += (strength / Math.sqrt(harmonic)) * Math.sin(harmonic * phase);
    }
    into[i] = envelope * value;
  }
}

/** Notes of half a second on a scale, with vibrato and a changing vowel. */
export function sung({ seconds, sampleRate = defaultRate, pitchHz = 200 }: Options & { pitchHz?: number }): Sound {
  const { samples } = silence({ seconds, sampleRate });
  const size = Math.round(0.5 * sampleRate);
  let phase = 0;
  for (let i = 0; i < samples.length; i++) {
    const [index, within] = [Math.floor(i / size), (i % size) / size];
    const semitones = ([0, 2, 4, 7, 4, 2][index % 6] as number) + 0.3 * Math.sin((2 * Math.PI * 5.5 * i) / sampleRate);
    const hz = pitchHz * 2 ** (semitones / 12);
    phase += (2 * Math.PI * hz) / sampleRate;
    const formants = vowels[index % vowels.length] ?? vowels[0];
    for (let harmonic = 1; harmonic * hz < 3500; harmonic++) {
      const strength = formants.reduce((sum, formant) => sum + 1 / (1 + ((harmonic * hz - formant) / 120) ** 2), 0.03);
      samples[i] = (samples[i] as number) + (strength / Math.sqrt(harmonic)) * Math.sin(harmonic * phase);
    }
    samples[i] = (samples[i] as number) * Math.sin(Math.PI * within) ** 0.4;
  }
  return { samples: scaledTo(samples, 0.5), sampleRate };
}

/** Syllables of noise through changing resonances, without a voice. */
export function whispered({ seconds, sampleRate = defaultRate, seed = 5 }: Options): Sound {
  const random = createRandom(seed);
  const { samples } = silence({ seconds, sampleRate });
  const size = Math.round(0.22 * sampleRate);
  for (let start = 0; start < samples.length; start += size) {
    const hz = 500 + 2800 * random();
    const radius = 0.93;
    let [last, before] = [0, 0];
    for (let i = start; i < Math.min(samples.length, start + size); i++) {
      const value =
        random() * 2 - 1 + 2 * radius * Math.cos((2 * Math.PI * hz) / sampleRate) * last - radius ** 2 * before;
      [before, last] = [last, value];
      samples[i] = value * Math.sin((Math.PI * (i - start)) / size);
    }
  }
  return { samples: scaledTo(samples, 0.3), sampleRate };
}

/** Four-note chords with overtones, one per beat, each decaying. */
export function music({
  seconds,
  sampleRate = defaultRate,
  level = 0.5,
  beatSeconds = 0.5,
}: Options & { level?: number; beatSeconds?: number }): Sound {
  const { samples } = silence({ seconds, sampleRate });
  const chords = [
    [0, 4, 7, 12],
    [-3, 0, 4, 9],
    [5, 9, 12, 17],
    [-5, -1, 2, 7],
  ];
  const beat = Math.round(beatSeconds * sampleRate);
  for (let i = 0; i < samples.length; i++) {
    const chord = chords[Math.floor(i / beat) % chords.length] ?? [];
    const within = (i % beat) / beat;
    let value = 0;
    for (const note of chord) {
      const hz = 220 * 2 ** (note / 12);
      for (let overtone = 1; overtone <= 4; overtone++) {
        value += Math.sin((2 * Math.PI * hz * overtone * i) / sampleRate) / overtone ** 1.5;
      }
    }
    samples[i] = value * Math.min(1, within * 40) * Math.exp(-1.2 * within);
  }
  return { samples: scaledTo(samples, level), sampleRate };
}

export function mixed(one: Sound, other: Sound): Sound {
  return { ...one, samples: one.samples.map((value, i) => value + (other.samples[i] ?? 0)) };
}

/** The reverberation of a room: exponentially decaying noise as loud as the direct sound, -60 dB after `seconds`. */
export function inRoom({ samples, sampleRate }: Sound, seconds: number): Sound {
  const random = createRandom(9);
  const length = Math.round(seconds * sampleRate);
  const echoes = Array.from({ length: 600 }, () => {
    const delay = Math.round((0.005 + 0.995 * random()) * length);
    return { delay, gain: (random() < 0.5 ? -1 : 1) * 10 ** ((-3 * delay) / length) };
  });
  const energy = echoes.reduce((sum, { gain }) => sum + gain * gain, 0);
  const wet = samples.slice();
  for (const { delay, gain } of echoes) {
    const scaled = gain / Math.sqrt(energy);
    for (let i = delay; i < wet.length; i++) wet[i] = (wet[i] as number) + scaled * (samples[i - delay] as number);
  }
  return { samples: wet, sampleRate };
}

/** Noise whose power falls by 3 dB per octave. */
export function pinkNoise(options: Options): Sound {
  const { samples, sampleRate } = noise({ ...options, level: 1 });
  let [slow, middle, quick] = [0, 0, 0];
  const pink = samples.map((white) => {
    slow = 0.99765 * slow + 0.099 * white;
    middle = 0.963 * middle + 0.2965 * white;
    quick = 0.57 * quick + 1.0527 * white;
    return slow + middle + quick + 0.1848 * white;
  });
  return { samples: pink, sampleRate };
}

/** The second sound at the power of the first. */
export function asLoudAs(one: Sound, other: Sound): Sound {
  const power = ({ samples }: Sound) => samples.reduce((sum, value) => sum + value * value, 0) / samples.length;
  return amplified(other, Math.sqrt(power(one) / power(other)));
}

export function joined(...sounds: Sound[]): Sound {
  const samples = new Float32Array(sounds.reduce((sum, sound) => sum + sound.samples.length, 0));
  let at = 0;
  for (const sound of sounds) {
    samples.set(sound.samples, at);
    at += sound.samples.length;
  }
  return { samples, sampleRate: sounds[0]?.sampleRate ?? defaultRate };
}

export function amplified(sound: Sound, factor: number): Sound {
  return { ...sound, samples: sound.samples.map((value) => value * factor) };
}

/** Clipped at the limit, like an overdriven microphone. */
export function clipped(sound: Sound, factor = 4): Sound {
  return { ...sound, samples: sound.samples.map((value) => Math.max(-1, Math.min(1, value * factor))) };
}

export function toPcm({ samples }: Sound): Int16Array {
  return Int16Array.from(samples, (value) => Math.round(Math.max(-1, Math.min(1, value)) * 32767));
}

function scaledTo(samples: Float32Array, level: number): Float32Array {
  const peak = samples.reduce((highest, value) => Math.max(highest, Math.abs(value)), 0);
  return peak === 0 ? samples : samples.map((value) => (value * level) / peak);
}
