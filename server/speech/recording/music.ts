import { open } from "node:fs/promises";
import { musicSeconds } from "~server/contract/limits";
import {
  addMusic,
  type MusicLoop,
  type MusicSettings,
  measureSteps,
  musicGains,
  peakOf,
  type SpeechSteps,
  speechLufs,
  stepsPerSecond,
} from "~server/contract/music";
import { createLoop } from "~server/contract/music-loops";
import { measureLoudness } from "../dsp/loudness";
import { concatArrays, toPcm } from "../dsp/pcm";
import { resample } from "../dsp/resample";
import { SpeechError } from "../engine";
import { decodeRecording } from "./decode";
import type { SampleFile } from "./encode";
import { encodeMp3 } from "./formats/mp3-encoder";

/** An uploaded file of music as it is stored: mono MP3. */
export interface ReadMusic {
  mp3: Uint8Array;
  durationMs: number;
  /** LUFS. */
  loudness: number;
}

const maxRate = 48_000;
/** LUFS; a quieter file would be raised with its noise. */
const leastLoudness = -50;

/** Decodes and judges an upload. Throws SpeechError `reference` with the fault as message. */
export async function readMusic(bytes: Uint8Array): Promise<ReadMusic> {
  const { samples, sampleRate, durationMs } = await decodeRecording(bytes, { maxSeconds: musicSeconds.max, maxRate });
  if (durationMs < musicSeconds.min * 1000) throw new SpeechError("reference", "too-short");
  const loudness = measureLoudness(samples, sampleRate);
  if (!(loudness > leastLoudness)) throw new SpeechError("reference", "silent");
  return { mp3: await encodeMp3(toPcm(samples), sampleRate), durationMs, loudness };
}

export interface MusicMixRequest {
  speech: SampleFile;
  /** A loop, or a stored file. */
  music: { loop: MusicLoop } | { mp3: Uint8Array };
  settings: MusicSettings;
  /** Path of the new file; must not exist. */
  to: string;
}

/** Adds music to a file of speech, from file to file; returns the samples written. The speech is not changed. */
export async function mixMusicFile({ speech, music: source, settings, to }: MusicMixRequest): Promise<number> {
  const { sampleRate } = speech;
  const music = "loop" in source ? createLoop(source.loop, sampleRate) : await readLoop(source.mp3, sampleRate);
  const from = await open(speech.path, "r");
  const output = await open(to, "wx").catch(async (error) => {
    await from.close();
    throw error;
  });
  try {
    const read = (at: number, count: number) => readSamples(from, at, count);
    const gains = musicGains(await stepsOf(speech, read), settings, peakOf(music));
    const total = Math.max(speech.samples, Math.floor((gains.length * sampleRate) / stepsPerSecond));
    for (let at = 0; at < total; at += sampleRate) {
      const mixed = new Float32Array(Math.min(sampleRate, total - at));
      const spoken = await read(at, Math.min(mixed.length, speech.samples - at));
      for (let i = 0; i < spoken.length; i++) mixed[i] = (spoken[i] as number) / fullScale;
      addMusic(mixed, { music, gains, sampleRate, from: at });
      const pcm = Int16Array.from(mixed, (value) =>
        Math.max(-fullScale, Math.min(fullScale - 1, Math.round(value * fullScale))),
      );
      await output.writeFile(new Uint8Array(pcm.buffer));
    }
    return total;
  } finally {
    await output.close();
    await from.close();
  }
}

const fullScale = 32_768;
type Read = (at: number, count: number) => Promise<Int16Array>;

async function readSamples(file: Awaited<ReturnType<typeof open>>, at: number, count: number): Promise<Int16Array> {
  const pcm = new Int16Array(Math.max(0, count));
  const bytes = new Uint8Array(pcm.buffer);
  for (let done = 0; done < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, done, bytes.length - done, at * Int16Array.BYTES_PER_ELEMENT + done);
    if (bytesRead === 0) throw new Error("The sample file is shorter than declared");
    done += bytesRead;
  }
  return pcm;
}

/** One second at a time; a second is a whole number of steps. */
async function stepsOf({ samples, sampleRate }: SampleFile, read: Read): Promise<SpeechSteps> {
  const parts: SpeechSteps[] = [];
  for (let at = 0; at < samples; at += sampleRate)
    parts.push(measureSteps(await read(at, Math.min(sampleRate, samples - at)), sampleRate, fullScale));
  const join = (name: keyof SpeechSteps) =>
    concatArrays(
      Float32Array,
      parts.map((part) => part[name]),
    );
  return { rms: join("rms"), peak: join("peak") };
}

/** Seconds of the end that fade into the beginning when a file repeats; at most a fourth of it. */
const overlapSeconds = 3;

/** A stored file at −19 LUFS whose end leads into its beginning. */
async function readLoop(mp3: Uint8Array, sampleRate: number): Promise<Float32Array> {
  const decoded = await decodeRecording(mp3, { maxSeconds: musicSeconds.max + 1, maxRate });
  const gain = 10 ** ((speechLufs - measureLoudness(decoded.samples, decoded.sampleRate)) / 20);
  const samples = resample(decoded.samples, decoded.sampleRate, sampleRate);
  const overlap = Math.min(overlapSeconds * sampleRate, samples.length >> 2);
  const loop = samples.map((value) => value * gain).subarray(0, samples.length - overlap);
  for (let i = 0; i < overlap; i++) {
    const share = (i / overlap) * (Math.PI / 2);
    const ending = (samples[loop.length + i] as number) * gain;
    loop[i] = (loop[i] as number) * Math.sin(share) + ending * Math.cos(share);
  }
  return loop;
}
