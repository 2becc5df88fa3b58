import { File } from "node:buffer";
import { FormData } from "undici";
import { listReadings } from "../../chinese/readings/lexicon";
import { type Emotion, SpeechError, type SpeechFault } from "../../engine";
import { findStrongest } from "../delivery";
import type { Backend, RemoteSpeech } from "../remote/backend";
import { type WriteUnit, writeAsWritten } from "../remote/runs";
import type { PcmSound } from "../remote/samples";
import {
  callVendor,
  createSampleJoiner,
  streamVendor,
  streamWithRetries,
  toErrorText,
  type VendorAnswer,
  VendorError,
  withRetries,
} from "./vendor-call";

export interface MiniMaxSettings {
  url: string;
  apiKey: string;
  model: string;
}

const sampleRate = 24_000;
/** Melancholic has no equal. */
const emotions: Record<Emotion, string> = {
  happy: "happy",
  angry: "angry",
  sad: "sad",
  afraid: "fearful",
  disgusted: "disgusted",
  melancholic: "sad",
  surprised: "surprised",
  calm: "calm",
};

/**
 * Backend for cloned voices at MiniMax: file upload, voice clone, T2A v2 over server-sent events, deletion, as documented
 * at platform.minimax.io (2026). A clone is billed at its first synthesis and expires after a week without one. A voice
 * that was never used speaks only where the person accepted that; other requests fail with `voice`.
 */
export function createMiniMaxBackend({ url, apiKey, model }: MiniMaxSettings): Backend {
  const headers = { authorization: `Bearer ${apiKey}` };
  const post = (path: string, body: string | FormData, signal: AbortSignal) =>
    withRetries(() => callVendor({ url: url + path, headers, body }, findMiniMaxFailure, signal), signal);
  /** Voices that were synthesised before, as the vendor lists them. */
  const active = new Set<string>();

  async function requireActive(voiceId: string, signal: AbortSignal): Promise<void> {
    if (active.has(voiceId)) return;
    const text = await post("/v1/get_voice", JSON.stringify({ voice_type: "voice_cloning" }), signal);
    const { voice_cloning: listed } = JSON.parse(text) as { voice_cloning?: Array<{ voice_id: string }> | null };
    for (const { voice_id } of listed ?? []) active.add(voice_id);
    if (!active.has(voiceId))
      throw new SpeechError("voice", "the first use is billed, and its owner did not accept that");
  }

  async function upload(wav: string, signal: AbortSignal): Promise<string> {
    const form = new FormData();
    form.set("purpose", "voice_clone");
    form.set("file", new File([Buffer.from(wav, "base64")], "voice.wav", { type: "audio/wav" }));
    // Beyond 2^53: kept as text.
    const [, fileId] = /"file_id"\s*:\s*"?(\d+)/.exec(await post("/v1/files/upload", form, signal)) ?? [];
    if (!fileId) throw new SpeechError("engine", "no file_id in the answer");
    return fileId;
  }

  return {
    id: "minimax",
    version: `1:${model}`,
    maxChars: 3000,
    languages: ["zh", "en"],
    // The vendor refuses less than 10 s; a sentence read aloud takes 8.
    reference: { minSeconds: 5, repeatToSeconds: 10, maxSeconds: 60, sampleRate },
    speeds: [0.5, 2],
    write: writeInlinePinyin,
    async createVoice({ wav }, name, signal) {
      const fileId = await upload(wav, signal);
      try {
        await post("/v1/voice_clone", `{"file_id":${fileId},"voice_id":${JSON.stringify(name)}}`, signal);
      } finally {
        const removal = `{"file_id":${fileId},"purpose":"voice_clone"}`;
        // The recording is not needed there any more; the vendor deletes it in time otherwise.
        await post("/v1/files/delete", removal, AbortSignal.timeout(removalMs)).catch(() => {});
      }
      return name;
    },
    async deleteVoice(name, signal) {
      active.delete(name);
      const body = JSON.stringify({ voice_type: "voice_cloning", voice_id: name });
      await post("/v1/delete_voice", body, signal).catch(ignoreMissing);
    },
    async *say(speech, signal) {
      const voiceId = speech.voice.voiceId ?? "";
      if (!speech.mayPay) await requireActive(voiceId, signal);
      const body = JSON.stringify(toRequest(model, speech));
      const open = () => toSounds(streamVendor({ url: `${url}/v1/t2a_v2`, headers, body }, findMiniMaxFailure, signal));
      for await (const sound of streamWithRetries(open, signal)) {
        active.add(voiceId);
        yield sound;
      }
    },
    probe() {
      const signal = AbortSignal.timeout(3000);
      return post("/v1/get_voice", JSON.stringify({ voice_type: "voice_cloning" }), signal).then(
        () => true,
        () => false,
      );
    },
  };
}

const removalMs = 5000;

function toRequest(model: string, { text, voice, speed, emotion }: RemoteSpeech): object {
  const strongest = findStrongest(emotion);
  return {
    model,
    text,
    stream: true,
    // Otherwise the last event repeats the whole sound.
    stream_options: { exclude_aggregated_audio: true },
    language_boost: "Chinese",
    voice_setting: {
      voice_id: voice.voiceId,
      speed,
      vol: 1,
      pitch: 0,
      ...(strongest && { emotion: emotions[strongest.name] }),
    },
    audio_setting: { sample_rate: sampleRate, format: "pcm", channel: 1 },
  };
}

async function* toSounds(events: AsyncIterable<string>): AsyncGenerator<PcmSound> {
  const toSamples = createSampleJoiner();
  for await (const event of events) {
    const { data } = JSON.parse(event) as { data?: { audio?: string; status?: number } | null };
    if (data?.audio) yield { pcm: toSamples(Buffer.from(data.audio, "hex")), sampleRate };
    if (data?.status === 2) return;
  }
  throw new SpeechError("engine", "the stream ended before its last event");
}

const fullWidth: Record<string, string> = { "(": "（", ")": "）", "<": "＜", ">": "＞" };
const single = /^\p{Script=Han}$/u;

/** `(xing2)` replaces a character with a requested reading; brackets of the text itself become full-width. */
const writeInlinePinyin: WriteUnit = (unit, previous) => {
  const text = writeAsWritten(unit, previous);
  const isMarked = unit.isAsked && unit.pinyin && single.test(text) && listReadings(text).length > 1;
  return isMarked ? `(${unit.pinyin})` : text.replace(/[()<>]/g, (bracket) => fullWidth[bracket] ?? "");
};

const missingVoice = new Set(["20132", "2042"]);

function ignoreMissing(error: unknown): void {
  if (!(error instanceof VendorError && missingVoice.has(error.code))) throw error;
}

/** Status 200 is no success: `base_resp.status_code` is 0 then. */
export function findMiniMaxFailure({ status, text }: VendorAnswer): VendorError | null {
  const { status_code: code, status_msg: message = "" } = readBaseResponse(text);
  if (status === 200 && (code ?? 0) === 0) return null;
  const name = String(code ?? status);
  const [fault = "engine", isPassing = status === 429 || status >= 500] = failures[name] ?? [];
  return new VendorError(fault, name, `${status} ${name}: ${toErrorText(message || text)}`, isPassing);
}

function readBaseResponse(text: string): { status_code?: number; status_msg?: string } {
  try {
    return (JSON.parse(text) as { base_resp?: { status_code?: number; status_msg?: string } | null }).base_resp ?? {};
  } catch {
    return { status_msg: text };
  }
}

const passing: [SpeechFault, boolean] = ["engine", true];
const tooMany: [SpeechFault, boolean] = ["overloaded", true];
/** The fault, and whether it passes, by status code; other codes concern the account. */
const failures: Record<string, [SpeechFault, boolean]> = {
  1000: passing,
  1001: ["timeout", true],
  1013: passing,
  1024: passing,
  1033: passing,
  1002: tooMany,
  1039: tooMany,
  1041: tooMany,
  2045: tooMany,
  429: tooMany,
  1026: ["text", false],
  1027: ["text", false],
  1042: ["text", false],
  2013: ["text", false],
  1043: ["reference", false],
  1044: ["reference", false],
  2037: ["reference", false],
  2048: ["reference", false],
  20132: ["lost", false],
  2042: ["lost", false],
};
