import {
  type Align,
  type SpeechChunk,
  type SpeechEngine,
  SpeechError,
  type SpeechRequest,
  type Timeline,
} from "../engine";

/** The same engine with a timeline, found by aligning; a request's sound leaves in one chunk, because aligning needs all of it. */
export function withTimeline(engine: SpeechEngine, align: Align): SpeechEngine {
  async function* synthesize(request: SpeechRequest, signal: AbortSignal): AsyncGenerator<SpeechChunk> {
    const chunks: SpeechChunk[] = [];
    for await (const chunk of engine.synthesize(request, signal)) chunks.push(chunk);
    const whole = joined(chunks);
    yield { ...whole, timeline: await timelineOf(align, { request, whole, signal }) };
  }
  return Object.create(engine, {
    synthesize: { value: synthesize },
    capabilities: { value: { ...engine.capabilities, stream: false, timeline: true } },
  }) as SpeechEngine;
}

interface Spoken {
  request: SpeechRequest;
  whole: SpeechChunk;
  signal: AbortSignal;
}

/** Nobody goes without speech for want of a timeline: where aligning fails, everything takes as long as the next. */
async function timelineOf(align: Align, { request: { text }, whole, signal }: Spoken): Promise<Timeline> {
  const { pcm, sampleRate } = whole;
  try {
    return (await align({ text, pcm, sampleRate }, signal)).timeline;
  } catch (error) {
    if (signal.aborted) throw new SpeechError("cancelled", "The caller cancelled", { cause: error });
    return spreadTimeline(whole, text.units);
  }
}

/** Units one after the other over what sounds. */
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

function joined(chunks: SpeechChunk[]): SpeechChunk {
  const [first, last] = [chunks[0], chunks.at(-1)];
  if (!first || !last) throw new SpeechError("engine", "The engine said nothing");
  const pcm = new Int16Array(chunks.reduce((sum, chunk) => sum + chunk.pcm.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    pcm.set(chunk.pcm, at);
    at += chunk.pcm.length;
  }
  const silence = { beforeMs: first.silence?.beforeMs ?? 0, afterMs: last.silence?.afterMs ?? 0 };
  return { pcm, sampleRate: first.sampleRate, silence };
}
