import { hopSeconds, speechRate } from "../../dsp/grid";
import type { SpeechChunk, SpeechRequest, TimelinePhoneme } from "../../engine";
import type { Espeak } from "./espeak-process";
import { splitClauses } from "./reading/clauses";
import { readClause, type SourceClip } from "./reading/source";
import { analyseSource } from "./voice/analysis";
import { labelFrames } from "./voice/calibration";
import { createConverter, render } from "./voice/conversion";
import { spreadLevels } from "./voice/dynamics";
import { mixEmotions, type Prosody, withToneOf } from "./voice/prosody";
import { requireEmbeddedVoice } from "./voice/voice";

const paceRange = [0.45, 2.5] as const;
/** Above this share of full scale, peaks are bent instead of cut. */
const kneeLevel = 0.8;

/** Speaks clause by clause; long clauses leave in pieces. `breathe` throws when the caller no longer listens. */
export async function* speak(
  request: SpeechRequest,
  espeak: Espeak,
  breathe: () => Promise<void>,
): AsyncGenerator<SpeechChunk> {
  const tone = request.tone && requireEmbeddedVoice(request.tone);
  const voice = withToneOf(requireEmbeddedVoice(request.voice), tone);
  const feeling = mixEmotions(request.emotion);
  const pace = Math.min(paceRange[1], Math.max(paceRange[0], request.speed * voice.rate * feeling.pace));
  const prosody: Prosody = { ...feeling, raiseSt: feeling.raiseSt + (request.pitch ?? 0) };
  const gain = 10 ** ((voice.gainDb + feeling.gainDb + (request.volume ?? 0)) / 20);
  const converter = createConverter(voice);
  let pieceCount = 0;
  for (const clause of splitClauses(request.text.units, pace)) {
    const clip = await readClause(espeak, clause, pace);
    if (!clip) continue;
    const pieces = cutPieces(clip, pieceCount);
    pieceCount += pieces.length;
    for (const [i, piece] of pieces.entries()) {
      await breathe();
      const speech = analyseSource(piece.samples, piece.phonemes);
      await breathe();
      const labels = labelFrames(piece.phonemes, Math.ceil(piece.samples.length / speechRate / hopSeconds) + 1);
      const plain = render(speech, labels, { voice, converter, prosody });
      const sound = tone?.dynamics === undefined ? plain : spreadLevels(plain, speech, tone.dynamics);
      yield toChunk(
        { sound, gain, piece },
        {
          beforeMs: i === 0 ? clause.pauseBeforeMs : 0,
          afterMs: i === pieces.length - 1 ? clause.pauseAfterMs : 0,
        },
      );
    }
  }
}

function toChunk(
  { sound, gain, piece }: { sound: Float32Array; gain: number; piece: SourceClip },
  silence: { beforeMs: number; afterMs: number },
): SpeechChunk {
  const lead = Math.round((silence.beforeMs / 1000) * speechRate);
  const tail = Math.round((silence.afterMs / 1000) * speechRate);
  const pcm = new Int16Array(lead + sound.length + tail);
  for (let i = 0; i < sound.length; i++) pcm[lead + i] = Math.round(bend((sound[i] as number) * gain) * 32767);
  const soundMs = (sound.length / speechRate) * 1000;
  const later = <T extends { start: number; end: number }>(item: T): T => ({
    ...item,
    start: item.start + silence.beforeMs,
    end: item.end + silence.beforeMs,
  });
  const rest = (start: number, lengthMs: number): TimelinePhoneme[] =>
    lengthMs > 0 ? [{ ph: "", start, end: start + lengthMs, viseme: "sil" }] : [];
  return {
    pcm,
    sampleRate: speechRate,
    silence,
    timeline: {
      sampleRate: speechRate,
      durationMs: Math.round((pcm.length / speechRate) * 1000),
      units: piece.units.map(later),
      phonemes: [
        ...rest(0, silence.beforeMs),
        ...piece.phonemes.map(later),
        ...rest(Math.round(silence.beforeMs + soundMs), silence.afterMs),
      ],
    },
  };
}

function bend(value: number): number {
  const size = Math.abs(value);
  if (size <= kneeLevel) return value;
  const room = 1 - kneeLevel;
  return Math.sign(value) * (kneeLevel + room * Math.tanh((size - kneeLevel) / room));
}

/** Pieces no longer than this are worked on at once: the first ones short, for a quick start. */
const growth = [1.2, 2, 3] as const;
const longest = 4;
const windowMs = 8;

/** Cuts a clip at its quietest syllable boundaries, so that sound leaves as early as possible and nothing is heard of it. */
export function cutPieces(clip: SourceClip, alreadyCut: number): SourceClip[] {
  const pieces: SourceClip[] = [];
  let rest = clip;
  while (true) {
    const wanted = growth[alreadyCut + pieces.length] ?? longest;
    const cutMs = rest.samples.length / rest.sampleRate > wanted * 1.6 ? quietestBoundary(rest, wanted) : null;
    if (cutMs === null) return [...pieces, rest];
    const [before, after] = splitAt(rest, cutMs);
    pieces.push(before);
    rest = after;
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
