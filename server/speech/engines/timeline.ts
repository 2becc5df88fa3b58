import type { Align } from "../analysis";
import { concatArrays } from "../dsp/pcm";
import { type SpeechChunk, type SpeechEngine, SpeechError, type SpeechRequest, type Timeline } from "../engine";

/** Adds a timeline by forced alignment; each request yields one chunk, because alignment needs all audio. */
export function withTimeline(engine: SpeechEngine, align: Align): SpeechEngine {
  async function* synthesize(request: SpeechRequest, signal: AbortSignal): AsyncGenerator<SpeechChunk> {
    const chunks: SpeechChunk[] = [];
    for await (const chunk of engine.synthesize(request, signal)) chunks.push(chunk);
    const whole = joinChunks(chunks);
    yield { ...whole, timeline: await timelineOf(align, { request, whole, signal }) };
  }
  return Object.create(engine, {
    synthesize: { value: synthesize },
    capabilities: { value: { ...engine.capabilities, stream: false, timeline: true } },
  }) as SpeechEngine;
}

interface SynthesisedRequest {
  request: SpeechRequest;
  whole: SpeechChunk;
  signal: AbortSignal;
}

/** Falls back to an even timeline if alignment fails. */
async function timelineOf(align: Align, { request: { text }, whole, signal }: SynthesisedRequest): Promise<Timeline> {
  const { pcm, sampleRate } = whole;
  try {
    return (await align({ text, pcm, sampleRate }, signal)).timeline;
  } catch (error) {
    if (signal.aborted) throw new SpeechError("cancelled", "The caller cancelled", { cause: error });
    return spreadTimeline(whole, text.units);
  }
}

/** Distributes the units evenly over the audio without its silence. */
export function spreadTimeline(
  { pcm, sampleRate, silence }: SpeechChunk,
  units: SpeechRequest["text"]["units"],
): Timeline {
  const durationMs = Math.round((pcm.length / sampleRate) * 1000);
  const [from, to] = [silence?.beforeMs ?? 0, durationMs - (silence?.afterMs ?? 0)];
  const spoken = units.filter(({ kind }) => kind !== "pause");
  const at = (i: number) => Math.round(from + ((to - from) * i) / spoken.length);
  return {
    sampleRate,
    durationMs,
    units: spoken.map(({ text, offset, pinyin, tone }, i) => ({
      text,
      offset,
      ...(pinyin === undefined ? {} : { pinyin }),
      ...(tone === undefined ? {} : { tone }),
      start: at(i),
      end: at(i + 1),
    })),
    phonemes: spoken.flatMap((_, i) => [
      { ph: "", start: at(i), end: at(i + 0.6), viseme: "aa" },
      { ph: "", start: at(i + 0.6), end: at(i + 1), viseme: "sil" },
    ]),
  };
}

function joinChunks(chunks: SpeechChunk[]): SpeechChunk {
  const [first, last] = [chunks[0], chunks.at(-1)];
  if (!first || !last) throw new SpeechError("engine", "The engine returned no audio");
  const pcm = concatArrays(
    Int16Array,
    chunks.map((chunk) => chunk.pcm),
  );
  const silence = { beforeMs: first.silence?.beforeMs ?? 0, afterMs: last.silence?.afterMs ?? 0 };
  return { pcm, sampleRate: first.sampleRate, silence };
}

interface BareSound {
  pcm: Int16Array;
  sampleRate: number;
  /** Of the sound alone. */
  timeline?: Pick<Timeline, "units" | "phonemes"> | null;
}

/** A chunk of a sound between exact silences, which its times follow. */
export function toChunk(
  { pcm, sampleRate, timeline }: BareSound,
  silence: { beforeMs: number; afterMs: number },
): SpeechChunk {
  const samplesOf = (ms: number) => Math.round((ms / 1000) * sampleRate);
  const msOf = (samples: number) => Math.round((samples / sampleRate) * 1000);
  const from = samplesOf(silence.beforeMs);
  const whole = new Int16Array(from + pcm.length + samplesOf(silence.afterMs));
  whole.set(pcm, from);
  if (!timeline) return { pcm: whole, sampleRate, silence };
  const durationMs = msOf(whole.length);
  const shift = <Item extends { start: number; end: number }>(item: Item): Item => ({
    ...item,
    start: Math.round(item.start + silence.beforeMs),
    end: Math.round(item.end + silence.beforeMs),
  });
  const quiet = (start: number, end: number) => (end > start ? [{ ph: "", start, end, viseme: "sil" }] : []);
  const phonemes = [
    ...quiet(0, silence.beforeMs),
    ...timeline.phonemes.map(shift),
    ...quiet(msOf(from + pcm.length), durationMs),
  ];
  const units = timeline.units.map(shift);
  return { pcm: whole, sampleRate, silence, timeline: { sampleRate, durationMs, units, phonemes } };
}
