import { concatArrays, toFloats, toPcm } from "../../dsp/pcm";
import { stretch, transpose } from "../../dsp/stretch";
import { type SpeechChunk, SpeechError, type SpeechRequest } from "../../engine";
import { toChunk } from "../timeline";
import type { Backend } from "./backend";
import type { RemoteVoice } from "./reference";
import type { TextRun } from "./runs";
import { type PcmSound, trimSilence } from "./samples";

interface RunRequest {
  run: TextRun;
  voice: RemoteVoice;
  request: SpeechRequest;
  signal: AbortSignal;
}

/** Speaks a run: trimmed, with its exact pauses, speed and pitch. */
export async function* speakRun(
  server: Backend,
  { run, voice, request, signal }: RunRequest,
): AsyncGenerator<SpeechChunk> {
  const { speed, emotion, pitch = 0, isSelected = false, isFeeAccepted = false } = request;
  const [slowest, fastest] = server.speeds ?? [1, 1];
  const serverSpeed = Math.min(fastest, Math.max(slowest, speed));
  const mayPay = isSelected || isFeeAccepted;
  const trimmed = trimSilence(server.say({ text: run.text, voice, speed: serverSpeed, emotion, mayPay }, signal));
  const sounds =
    speed === serverSpeed && pitch === 0 ? trimmed : applySpeedAndPitch(trimmed, { speed: speed / serverSpeed, pitch });
  let last: PcmSound | null = null;
  let beforeMs = run.pauseBeforeMs;
  for await (const sound of sounds) {
    if (last) {
      yield toChunk(last, { beforeMs, afterMs: 0 });
      beforeMs = 0;
    }
    last = sound;
  }
  if (!last) throw new SpeechError("engine", `${server.id} returned no audio`);
  yield toChunk(last, { beforeMs, afterMs: Math.round(run.pauseAfterMs) });
}

/** Applies speed and pitch to a complete run. */
async function* applySpeedAndPitch(
  sounds: AsyncIterable<PcmSound>,
  { speed, pitch }: { speed: number; pitch: number },
): AsyncGenerator<PcmSound> {
  const pieces: Int16Array[] = [];
  let sampleRate = 0;
  for await (const sound of sounds) {
    pieces.push(sound.pcm);
    sampleRate = sound.sampleRate;
  }
  if (pieces.length === 0) return;
  const samples = toFloats(concatArrays(Int16Array, pieces));
  yield { pcm: toPcm(transpose(stretch(samples, sampleRate, speed), sampleRate, pitch)), sampleRate };
}
