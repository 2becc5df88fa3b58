import type { PreparedText, SpeechEngine } from "../../speech/engine";
import { type Finding, fail, ok, warn } from "./finding";

interface Speaking {
  engine(): Promise<SpeechEngine>;
  prepareText(text: string): Promise<PreparedText>;
}

const plain = { pitchHz: 180, pitchSpreadSt: 3, tract: 1, breath: 0.1, tilt: 0, rate: 1 };

/** One word in a designed voice, out loud. */
export async function examineSpeech({ engine, prepareText }: Speaking, signal: AbortSignal): Promise<Finding[]> {
  const startedAt = performance.now();
  const speaker = await engine();
  const name = `${speaker.id} ${speaker.version}`;
  if (!speaker.design) return [warn("speech", `${name} designs no voices`, "try a role of your own on the page")];
  const request = { text: await prepareText("你好"), voice: speaker.design(plain), speed: 1 };
  let seconds = 0;
  for await (const { pcm, sampleRate } of speaker.synthesize(request, signal)) seconds += pcm.length / sampleRate;
  const tookMs = Math.round(performance.now() - startedAt);
  if (seconds === 0) return [fail("speech", `${name} said nothing`, "look at the engine's log")];
  return [ok("speech", `${name}: ${seconds.toFixed(1)} s of sound in ${tookMs} ms`), ...(await toProbe(speaker))];
}

async function toProbe(speaker: SpeechEngine): Promise<Finding[]> {
  if (!speaker.probe || (await speaker.probe())) return [];
  return [
    warn("speech", `${speaker.id}: a server does not answer`, "see SPEECH_ENGINES and /metrics speech_engine_up"),
  ];
}
