import { hopSeconds, speechRate } from "../../dsp/grid";
import type { SpeechChunk, SpeechRequest, TimelinePhoneme } from "../../engine";
import { paceOfRepetition } from "../delivery";
import { mixEmotions } from "../emotions";
import type { Espeak } from "./espeak-process";
import { splitClauses } from "./reading/clauses";
import { fastestPace, readClause, type SourceClip } from "./reading/source";
import { analyseSource } from "./voice/analysis";
import { render } from "./voice/conversion";
import { type Intonation, planIntonation } from "./voice/intonation";
import { type Prosody, withToneOf } from "./voice/prosody";
import { applyDurations, applyGain } from "./voice/timing";
import { requireEmbeddedVoice } from "./voice/voice";

const paceRange = [0.45, 2.5] as const;
/** Factor of the planned durations on a clause; without it a voice is 3–6 % slower than its recording. */
const lengthenedShare = 1.03;
/** Share of full scale above which peaks are soft-clipped. */
const kneeLevel = 0.8;

/** Synthesises clause by clause; long clauses are split. `checkpoint` throws after a cancellation. */
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
  const gain = 10 ** ((voice.gainDb + emotion.gainDb + (request.volume ?? 0)) / 20);
  let pieceCount = 0;
  for (const clause of splitClauses(request.text.units, pace, "heard")) {
    const sourcePace = Math.min(fastestPace, pace * lengthenedShare);
    const clip = await readClause(espeak, clause, sourcePace);
    if (!clip) continue;
    const planned = planIntonation(clause, { times: clip.units, seconds: clip.samples.length / speechRate });
    // Frames are dropped where the pace is beyond eSpeak's.
    planned.length = planned.length.map((length) => (length * sourcePace) / (pace * lengthenedShare));
    const pieces = splitClip(clip, pieceCount);
    let fromSample = 0;
    pieceCount += pieces.length;
    for (const [i, piece] of pieces.entries()) {
      await checkpoint();
      const speech = analyseSource(piece.samples, piece.phonemes);
      await checkpoint();
      const part = sliceIntonation(planned, Math.round(fromSample / speechRate / hopSeconds));
      fromSample += piece.samples.length;
      const timed = applyDurations(speech, part);
      const contour = timed.intonation;
      const rendered = render(timed.speech, voice, { ...prosody, contour });
      const sound = applyGain(rendered, contour.gainDb);
      yield toChunk(
        { sound, gain, piece: moveTimes(piece, timed.toMs) },
        {
          beforeMs: i === 0 ? clause.pauseBeforeMs : 0,
          afterMs: i === pieces.length - 1 ? clause.pauseAfterMs : 0,
        },
      );
    }
  }
}

function sliceIntonation({ raiseSt, range, depth, gainDb, length }: Intonation, from: number): Intonation {
  const part = (values: Float32Array) => values.subarray(from);
  return { raiseSt: part(raiseSt), range: part(range), depth: part(depth), gainDb: part(gainDb), length: part(length) };
}

function moveTimes(piece: SourceClip, toMs: (ms: number) => number): SourceClip {
  const move = <T extends { start: number; end: number }>(item: T): T => ({
    ...item,
    start: toMs(item.start),
    end: toMs(item.end),
  });
  return { ...piece, units: piece.units.map(move), phonemes: piece.phonemes.map(move) };
}

function toChunk(
  { sound, gain, piece }: { sound: Float32Array; gain: number; piece: SourceClip },
  silence: { beforeMs: number; afterMs: number },
): SpeechChunk {
  const lead = Math.round((silence.beforeMs / 1000) * speechRate);
  const tail = Math.round((silence.afterMs / 1000) * speechRate);
  const pcm = new Int16Array(lead + sound.length + tail);
  for (let i = 0; i < sound.length; i++) pcm[lead + i] = Math.round(softClip((sound[i] as number) * gain) * 32767);
  const soundMs = (sound.length / speechRate) * 1000;
  const shift = <T extends { start: number; end: number }>(item: T): T => ({
    ...item,
    start: item.start + silence.beforeMs,
    end: item.end + silence.beforeMs,
  });
  const silentPhoneme = (start: number, lengthMs: number): TimelinePhoneme[] =>
    lengthMs > 0 ? [{ ph: "", start, end: start + lengthMs, viseme: "sil" }] : [];
  return {
    pcm,
    sampleRate: speechRate,
    silence,
    timeline: {
      sampleRate: speechRate,
      durationMs: Math.round((pcm.length / speechRate) * 1000),
      units: piece.units.map(shift),
      phonemes: [
        ...silentPhoneme(0, silence.beforeMs),
        ...piece.phonemes.map(shift),
        ...silentPhoneme(Math.round(silence.beforeMs + soundMs), silence.afterMs),
      ],
    },
  };
}

function softClip(value: number): number {
  const size = Math.abs(value);
  if (size <= kneeLevel) return value;
  const headroom = 1 - kneeLevel;
  return Math.sign(value) * (kneeLevel + headroom * Math.tanh((size - kneeLevel) / headroom));
}

/** Target seconds of the first pieces, short for a quick start. */
const firstPieceSeconds = [1.2, 2, 3] as const;
const maxPieceSeconds = 4;
const windowMs = 8;

/** Splits a clip at its quietest syllable boundaries, so that audio can be sent early. */
export function splitClip(clip: SourceClip, piecesBefore: number): SourceClip[] {
  const pieces: SourceClip[] = [];
  let silentPhoneme = clip;
  while (true) {
    const targetSeconds = firstPieceSeconds[piecesBefore + pieces.length] ?? maxPieceSeconds;
    const cutMs =
      silentPhoneme.samples.length / silentPhoneme.sampleRate > targetSeconds * 1.6
        ? quietestBoundary(silentPhoneme, targetSeconds)
        : null;
    if (cutMs === null) return [...pieces, silentPhoneme];
    const [before, after] = splitAt(silentPhoneme, cutMs);
    pieces.push(before);
    silentPhoneme = after;
  }
}

function quietestBoundary({ units, samples, sampleRate }: SourceClip, aroundSeconds: number): number | null {
  const [from, to] = [aroundSeconds * 600, aroundSeconds * 1400];
  const boundaries = units.map(({ start }) => start).filter((start) => start > from && start < to);
  const levelAt = (ms: number) => {
    const centre = Math.round((ms / 1000) * sampleRate);
    const reach = Math.round((windowMs / 1000) * sampleRate);
    return samples.subarray(Math.max(0, centre - reach), centre + reach).reduce((sum, value) => sum + value * value, 0);
  };
  return boundaries.reduce<number | null>(
    (best, start) => (best === null || levelAt(start) < levelAt(best) ? start : best),
    null,
  );
}

function splitAt(clip: SourceClip, cutMs: number): [SourceClip, SourceClip] {
  const cut = Math.round((cutMs / 1000) * clip.sampleRate);
  const first = <T extends { start: number; end: number }>(items: T[]) =>
    items.filter(({ start }) => start < cutMs).map((item) => ({ ...item, end: Math.min(item.end, cutMs) }));
  const second = <T extends { start: number; end: number }>(items: T[]) =>
    items
      .filter(({ end, start }) => start >= cutMs || end > cutMs + 1)
      .filter(({ start }) => start >= cutMs - 1)
      .map((item) => ({ ...item, start: Math.max(0, item.start - cutMs), end: item.end - cutMs }));
  return [
    { ...clip, samples: clip.samples.slice(0, cut), units: first(clip.units), phonemes: first(clip.phonemes) },
    { ...clip, samples: clip.samples.slice(cut), units: second(clip.units), phonemes: second(clip.phonemes) },
  ];
}
