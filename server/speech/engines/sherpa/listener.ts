import { basename } from "node:path";
import pLimit from "p-limit";
import { rejectOnAbort } from "../../abort";
import { SpeechError } from "../../engine";
import type { Recogniser, Transcript } from "../../recogniser";
import type { SpeakerVerifier } from "../../speaker-verifier";
import { findRecogniser, findSpeakerModel, type SherpaTranscript } from "./models";
import { createSherpaProcess } from "./process";

interface ListenerOptions {
  /** Folders of the models; without one, or without its files, the port is absent. */
  recogniser?: string | undefined;
  speaker?: string | undefined;
}

export interface SherpaListener {
  recogniser?: Recogniser;
  speakerVerifier?: SpeakerVerifier;
  close(): void;
}

/** A phrase of 12 s takes about 2 s of a slow core. */
const timeoutMs = 60_000;
const maxWaiting = 32;

/** Recogniser and speaker model of sherpa-onnx in one process beside those that speak, which starts at the first use. */
export function createListener(folders: ListenerOptions): SherpaListener {
  const recogniser = folders.recogniser && findRecogniser(folders.recogniser) ? folders.recogniser : undefined;
  const speaker = folders.speaker && findSpeakerModel(folders.speaker) ? folders.speaker : undefined;
  const child = createSherpaProcess({ recogniser, speaker });
  const limit = pLimit(1);
  const run = async <T>(work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> => {
    if (limit.pendingCount >= maxWaiting) throw new SpeechError("overloaded", "too many sounds are waiting");
    const attempt = limit(() => {
      signal?.throwIfAborted();
      const timer = AbortSignal.timeout(timeoutMs);
      return work(signal ? AbortSignal.any([signal, timer]) : timer).catch((error: unknown) => {
        throw timer.aborted ? new SpeechError("timeout", "sherpa-onnx timed out", { cause: error }) : error;
      });
    });
    return rejectOnAbort(attempt, signal);
  };
  return {
    ...(recogniser && {
      recogniser: {
        id: `sherpa:${basename(recogniser)}`,
        transcribe: async (sound, signal) =>
          toTranscript(
            await run((bounded) => child.transcribe(sound, bounded), signal),
            (sound.samples.length / sound.sampleRate) * 1000,
          ),
        close: child.close,
      },
    }),
    ...(speaker && {
      speakerVerifier: {
        id: `sherpa:${basename(speaker)}`,
        embed: (sound, signal) => run((bounded) => child.embed(sound, bounded), signal),
        close: child.close,
      },
    }),
    close: child.close,
  };
}

const label = /<\|([^|]*)\|>/g;

/** Tokens that begin a word have a "▁" before it, or a space. */
function toTranscript({ text, lang, tokens, timestamps }: SherpaTranscript, durationMs: number): Transcript {
  const starts = tokens.length === timestamps.length ? timestamps.map((seconds) => Math.round(seconds * 1000)) : [];
  const words = starts.map((startMs, i) => ({
    text: (tokens[i] ?? "").replaceAll("▁", " "),
    startMs,
    endMs: Math.min(starts[i + 1] ?? durationMs, startMs + maxWordMs),
  }));
  return { text: text.replace(label, "").trim(), language: lang.replace(label, "$1"), words };
}

/** The end of a word is not known: that of a word before a pause would be the next one's start. */
const maxWordMs = 600;
