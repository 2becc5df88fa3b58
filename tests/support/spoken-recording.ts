import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { prepareText } from "~server/speech/chinese/prepare";
import type { VoiceDesign } from "~server/speech/engine";
import { createEmbeddedEngine } from "~server/speech/engines/embedded/engine";
import { master } from "~server/speech/mastering";
import { encodeWav } from "~server/speech/recording/formats/wav";
import { createRandom } from "./sounds";

const speaker: VoiceDesign = { pitchHz: 205, pitchSpreadSt: 3, tract: 1.1, breath: 0.1, tilt: -1, rate: 1 };

/**
 * The speaker at the reference and on another day. The rates differ because a designed voice speaks each syllable alike,
 * and 45 % of alike quarters of a second count as a copy: 9–20 % in six prompts; 30–41 % if the reference has rate 1.
 */
export const referenceDelivery: Partial<VoiceDesign> = { rate: 1.25 };
export const otherDelivery: Partial<VoiceDesign> = { pitchHz: 196, pitchSpreadSt: 3.6, rate: 0.8, breath: 0.16 };

/** Writes a WAV of synthesised speech, then silence, for microphone input or upload; returns the seconds of speech. */
export async function writeSpokenRecording(
  path: string,
  text: string,
  delivery: Partial<VoiceDesign> = {},
  silenceSeconds = 0,
): Promise<number> {
  const engine = await createEmbeddedEngine({ processes: 1 });
  try {
    const chunks = [];
    const request = { text: prepareText(text), voice: engine.design({ ...speaker, ...delivery }), speed: 1 };
    for await (const chunk of engine.synthesize(request, new AbortController().signal)) chunks.push(chunk);
    const { pcm, sampleRate } = master(chunks, {});
    mkdirSync(dirname(path), { recursive: true });
    const samples = new Int16Array(pcm.length + silenceSeconds * sampleRate);
    samples.set(pcm);
    // A very quiet room: no microphone hears digital silence.
    const random = createRandom(11);
    for (const [at, value] of samples.entries()) samples[at] = value + Math.round(8 * (random() - 0.5));
    writeFileSync(path, encodeWav(samples, sampleRate));
    return pcm.length / sampleRate;
  } finally {
    await engine.close();
  }
}
