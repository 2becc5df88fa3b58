import { binCount, hopSeconds, speechRate } from "../../dsp/grid";
import type { SpeechChunk, SpeechRequest } from "../../engine";
import { mixEmotions, paceOfRepetition } from "../delivery";
import { toChunk } from "../timeline";
import type { Espeak } from "./espeak-process";
import { splitClauses } from "./reading/clauses";
import { fastestPace, readClause } from "./reading/source";
import { type Analysis, analyseSource } from "./voice/analysis";
import { type Prosody, render, withToneOf } from "./voice/conversion";
import { byFrame, type Intonation, planIntonation } from "./voice/intonation";
import { requireEmbeddedVoice } from "./voice/voice";

const paceRange = [0.45, 2.5] as const;
/** Factor of the planned durations on a clause; without it a voice is 3–6 % slower than its recording. */
const lengthenedShare = 1.03;
/** Share of full scale above which peaks are soft-clipped. */
const kneeLevel = 0.8;

/** Synthesises clause by clause. `checkpoint` throws after a cancellation. */
export async function* speak(
  request: SpeechRequest,
  espeak: Espeak,
  checkpoint: () => Promise<void>,
): AsyncGenerator<SpeechChunk> {
  const tone = request.tone && requireEmbeddedVoice(request.tone);
  const voice = withToneOf(requireEmbeddedVoice(request.voice), tone);
  const emotion = mixEmotions(request.emotion);
  const repeatedPace = paceOfRepetition(request.repetition);
  const wantedPace = request.speed * repeatedPace * voice.rate * emotion.pace;
  const pace = Math.min(paceRange[1], Math.max(paceRange[0], wantedPace));
  const prosody: Prosody = { ...emotion, raiseSt: emotion.raiseSt + (request.pitch ?? 0) };
  const gain = 10 ** ((emotion.gainDb + (request.volume ?? 0)) / 20);
  for (const clause of splitClauses(request.text.units, pace, "heard")) {
    const sourcePace = Math.min(fastestPace, pace * lengthenedShare);
    const clip = await readClause(espeak, clause, sourcePace);
    if (!clip) continue;
    const planned = planIntonation(clause, { times: clip.units, seconds: clip.samples.length / speechRate });
    // Frames are dropped where the pace is beyond eSpeak's.
    planned.length = planned.length.map((length) => (length * sourcePace) / (pace * lengthenedShare));
    await checkpoint();
    const speech = analyseSource(clip.samples, clip.phonemes);
    await checkpoint();
    const { speech: timed, intonation: contour, toMs } = applyDurations(speech, planned);
    const sound = applyGain(render(timed, voice, { ...prosody, contour }), contour.gainDb);
    const move = <Item extends { start: number; end: number }>(item: Item): Item => ({
      ...item,
      start: toMs(item.start),
      end: toMs(item.end),
    });
    const pcm = Int16Array.from(sound, (value) => Math.round(softClip(value * gain) * 32767));
    const timeline = { units: clip.units.map(move), phonemes: clip.phonemes.map(move) };
    yield toChunk(
      { pcm, sampleRate: speechRate, timeline },
      { beforeMs: clause.pauseBeforeMs, afterMs: clause.pauseAfterMs },
    );
  }
}

function softClip(value: number): number {
  const size = Math.abs(value);
  if (size <= kneeLevel) return value;
  const headroom = 1 - kneeLevel;
  return Math.sign(value) * (kneeLevel + headroom * Math.tanh((size - kneeLevel) / headroom));
}

/** Source speech with its planned durations. */
interface TimedSpeech {
  speech: Analysis;
  intonation: Intonation;
  toMs(sourceMs: number): number;
}

/** Repeats and drops frames, so that each source frame lasts `intonation.length` frames. */
export function applyDurations(source: Analysis, intonation: Intonation): TimedSpeech {
  const starts = new Float64Array(source.frames + 1);
  for (let f = 0; f < source.frames; f++) {
    starts[f + 1] = (starts[f] as number) + (intonation.length[f] ?? 1);
  }
  const frames = Math.round(starts[source.frames] as number);
  const origin = new Int32Array(frames);
  for (let to = 0, f = 0; to < frames; to++) {
    while (f < source.frames - 1 && (starts[f + 1] as number) <= to) f++;
    origin[to] = f;
  }
  const pick = <Values extends Float32Array | Uint8Array>(values: Values, into: Values): Values => {
    for (let to = 0; to < frames; to++) into[to] = values[origin[to] as number] ?? 0;
    return into;
  };
  const floats = (values: Float32Array) => pick(values, new Float32Array(frames));
  const envelope = new Float32Array(frames * binCount);
  for (let to = 0; to < frames; to++) {
    const from = (origin[to] as number) * binCount;
    envelope.set(source.envelope.subarray(from, from + binCount), to * binCount);
  }
  const lengthScale = (starts[source.frames] as number) / source.frames;
  return {
    speech: {
      ...source,
      samples: new Float32Array(Math.round(source.samples.length * lengthScale)),
      frames,
      envelope,
      pitch: floats(source.pitch),
      powerDb: floats(source.powerDb),
      active: pick(source.active, new Uint8Array(frames)),
    },
    intonation: byFrame((key) => floats(intonation[key])),
    toMs: (ms) => {
      const at = Math.min(source.frames, Math.max(0, ms / 1000 / hopSeconds));
      const [before, after] = [starts[Math.floor(at)] as number, starts[Math.ceil(at)] as number];
      return Math.round((before + (after - before) * (at % 1)) * hopSeconds * 1000);
    },
  };
}

/** Multiplies sound by a gain per frame. */
export function applyGain(sound: Float32Array, gainDb: Float32Array): Float32Array {
  if (gainDb.every((db) => db === 0)) return sound;
  const gains = gainDb.map((db) => 10 ** (db / 20));
  const hop = hopSeconds * speechRate;
  return sound.map((value, i) => {
    const at = Math.min(gains.length - 1, i / hop);
    const from = Math.floor(at);
    const before = gains[from] ?? 1;
    return value * (before + ((gains[Math.ceil(at)] ?? 1) - before) * (at - from));
  });
}
