/** The loops of music that need no file: notes, chords and echoes, computed. */
import type { MusicLoop } from "./music";
import written from "./music-moods.json" with { type: "json" };

interface Mood {
  beatsPerMinute: number;
  /** One chord for four beats, as MIDI notes from the lowest. */
  chords: readonly (readonly number[])[];
  pad: { gain: number; attack: number; partials: readonly number[] };
  /** Beats of one note, chord notes in turn, and seconds to fade to a third. */
  pluck: {
    gain: number;
    everyBeats: number;
    turn: readonly number[];
    raise: number;
    decay: number;
    partials: readonly number[];
  };
  bass: { gain: number; everyBeats: number; decay: number };
  /** Root mean square that measures −19 LUFS. */
  rmsDb: number;
}

const moods: Record<MusicLoop, Mood> = written;

const highestHz = 8_000;
/** Echoes in seconds with their gains; they fill the room without a seam because the loop is a circle. */
const echoes = [
  [0.031, 0.3],
  [0.073, 0.26],
  [0.127, 0.22],
  [0.211, 0.18],
  [0.337, 0.14],
  [0.521, 0.1],
  [0.797, 0.06],
] as const;

/** A loop of 18 to 32 seconds at about −19 LUFS; its end leads into its beginning, because all sound wraps around. */
export function createLoop(name: MusicLoop, sampleRate: number): Float32Array {
  const { beatsPerMinute, chords, pad, pluck, bass, rmsDb } = moods[name];
  const beat = 60 / beatsPerMinute;
  const dry = new Float32Array(Math.round(chords.length * 4 * beat * sampleRate));
  const add = (midi: number, note: Omit<Note, "hz">) =>
    addNote(dry, sampleRate, { hz: 440 * 2 ** ((midi - 69) / 12), ...note });
  let turn = 0;
  for (const [bar, chord] of chords.entries()) {
    const at = bar * 4 * beat;
    for (const midi of chord.slice(1)) {
      // Two notes three cents apart move slowly against each other.
      for (const cents of [-0.015, 0.015]) {
        const note = { at, seconds: 4 * beat + pad.attack, attack: pad.attack, release: pad.attack * 1.4, decay: 60 };
        add(midi + cents, { ...note, gain: pad.gain / 2, partials: pad.partials });
      }
    }
    for (let beats = 0; beats < 4; beats += bass.everyBeats)
      add(chord[0] as number, {
        at: at + beats * beat,
        seconds: bass.decay * 4,
        attack: 0.02,
        release: 0.1,
        partials: [1, 0.3, 0.08],
        ...bass,
      });
    for (let beats = 0; beats < 4; beats += pluck.everyBeats) {
      const midi = chord[pluck.turn[turn++ % pluck.turn.length] as number] as number;
      add(midi + pluck.raise, {
        at: at + beats * beat,
        seconds: pluck.decay * 4,
        attack: 0.008,
        release: 0.1,
        ...pluck,
      });
    }
  }
  return withEchoes(dry, sampleRate, 10 ** (rmsDb / 20));
}

interface Note {
  hz: number;
  /** Seconds. */
  at: number;
  seconds: number;
  attack: number;
  release: number;
  /** Seconds to fade to a third. */
  decay: number;
  gain: number;
  partials: readonly number[];
}

/** Adds a note that wraps around the end. */
function addNote(
  into: Float32Array,
  sampleRate: number,
  { hz, at, seconds, attack, release, decay, gain, partials }: Note,
) {
  const start = Math.round(at * sampleRate);
  const length = Math.round(seconds * sampleRate);
  const fall = Math.exp(-1 / (decay * sampleRate));
  const [rise, drop] = [attack * sampleRate, release * sampleRate];
  partials.forEach((share, index) => {
    const turn = (2 * Math.PI * hz * (index + 1)) / sampleRate;
    if (share === 0 || hz * (index + 1) > highestHz) return;
    // A recurrence instead of a sine for each sample: five times as fast.
    const factor = 2 * Math.cos(turn);
    let now = 0;
    let before = -Math.sin(turn);
    let level = gain * share;
    let place = start % into.length;
    for (let i = 0; i < length; i++) {
      const edge = Math.min(1, i / rise, (length - i) / drop);
      into[place] = (into[place] as number) + now * level * edge * edge * (3 - 2 * edge);
      const next = factor * now - before;
      before = now;
      now = next;
      level *= fall;
      if (++place === into.length) place = 0;
    }
  });
}

/** With echoes, at this root mean square. */
function withEchoes(dry: Float32Array, sampleRate: number, rms: number): Float32Array {
  const { length } = dry;
  const wet = dry.slice();
  for (const [seconds, gain] of echoes) {
    let from = length - Math.round(seconds * sampleRate);
    for (let i = 0; i < length; i++) {
      wet[i] = (wet[i] as number) + gain * (dry[from] as number);
      if (++from === length) from = 0;
    }
  }
  let power = 0;
  for (let i = 0; i < length; i++) power += (wet[i] as number) ** 2;
  const scale = rms / Math.sqrt(power / length);
  for (let i = 0; i < length; i++) wet[i] = (wet[i] as number) * scale;
  return wet;
}
