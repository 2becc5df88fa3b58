import { setTimeout as sleep } from "node:timers/promises";
import { SpeechError, type SpeechFault } from "../../engine";
import type { PcmSound } from "../remote/samples";
import {
  callVendor,
  createSampleJoiner,
  streamVendor,
  toErrorText,
  type VendorAnswer,
  VendorError,
  withRetries,
} from "./vendor-call";

export interface DashScopeSettings {
  url: string;
  apiKey: string;
  /** A voice speaks with the model that it was created for only. */
  model: string;
}

/** Hz, of all streams. */
export const dashScopeRate = 24_000;
const customization = "/services/audio/tts/customization";

/** The calls that CosyVoice's and Qwen's voices share. */
interface DashScopeApi {
  /** Creates, lists or deletes voices; `family` names whose. Throws VendorError. */
  change(family: "voice-enrollment" | "qwen-voice-enrollment", input: object, signal: AbortSignal): Promise<TtsOutput>;
  /** Streams sound as server-sent events. */
  speak(path: string, input: object, signal: AbortSignal): AsyncGenerator<PcmSound>;
  /** Deletes the voices of a reserved name in both families: the model may have changed since. */
  deleteVoice(name: string, signal: AbortSignal): Promise<void>;
}

interface TtsOutput {
  /** Voice id of CosyVoice. */
  voice_id?: string;
  /** Voice id of Qwen. */
  voice?: string;
  status?: string;
  voice_list?: Array<{ voice_id?: string; voice?: string }>;
  finish_reason?: string | null;
  audio?: { data?: string };
}

export function createDashScopeApi({ url, apiKey, model }: DashScopeSettings): DashScopeApi {
  const headers = { authorization: `Bearer ${apiKey}` };
  const change: DashScopeApi["change"] = async (family, input, signal) => {
    const call = { url: url + customization, headers, body: JSON.stringify({ model: family, input }) };
    const text = await withRetries(() => callVendor(call, findDashScopeFailure, signal), signal);
    return (JSON.parse(text) as { output?: TtsOutput }).output ?? {};
  };
  return {
    change,
    async *speak(path, input, signal) {
      const body = JSON.stringify({ model, input });
      const call = { url: url + path, headers: { ...headers, "X-DashScope-SSE": "enable" }, body };
      const toSamples = createSampleJoiner();
      for await (const event of streamVendor(call, findDashScopeFailure, signal)) {
        const { output = {} } = JSON.parse(event) as { output?: TtsOutput };
        const { data = "" } = output.audio ?? {};
        // The last event repeats the sound as an address.
        if (data) yield { pcm: toSamples(Buffer.from(data, "base64")), sampleRate: dashScopeRate };
        if (output.finish_reason === "stop") return;
      }
      throw new SpeechError("engine", "the stream ended before its last event");
    },
    async deleteVoice(name, signal) {
      await deleteCosyVoices(change, name, signal);
      await deleteQwenVoices(change, name, signal);
    },
  };
}

async function deleteCosyVoices(change: DashScopeApi["change"], name: string, signal: AbortSignal) {
  const input = { action: "list_voice", prefix: name, page_index: 0, page_size: 10 };
  const { voice_list: voices = [] } = await change("voice-enrollment", input, signal);
  for (const { voice_id } of voices) {
    await change("voice-enrollment", { action: "delete_voice", voice_id }, signal).catch(ignoreMissing);
  }
}

const pageSize = 100;
const maxPages = 10;

/** Qwen's list has no prefix; an account holds 1,000 voices. */
async function deleteQwenVoices(change: DashScopeApi["change"], name: string, signal: AbortSignal) {
  for (let page = 0; page < maxPages; page++) {
    const input = { action: "list", page_index: page, page_size: pageSize };
    const { voice_list: voices = [] } = await change("qwen-voice-enrollment", input, signal);
    const own = voices.filter(({ voice = "" }) => voice.includes(`-${name}-`));
    for (const { voice } of own) {
      await change("qwen-voice-enrollment", { action: "delete", voice }, signal).catch(ignoreMissing);
    }
    if (own.length > 0 || voices.length < pageSize) return;
  }
}

const pollsMs = { first: 2000, most: 10_000 };

/** Waits for a new CosyVoice voice. Throws SpeechError 'reference' for a recording that the vendor refused. */
export async function waitUntilReady(api: DashScopeApi, voiceId: string, signal: AbortSignal): Promise<void> {
  for (let delayMs = pollsMs.first; ; delayMs = Math.min(2 * delayMs, pollsMs.most)) {
    const { status } = await api.change("voice-enrollment", { action: "query_voice", voice_id: voiceId }, signal);
    if (status === "OK") return;
    if (status === "UNDEPLOYED") throw new SpeechError("reference", "unusable");
    await sleep(delayMs, undefined, { signal });
  }
}

/** The code of a request with options that a model does not take. */
export const unacceptedInput = "unaccepted-input";
const missingCodes = new Set(["BadRequest.ResourceNotExist", "BadRequest.VoiceNotFound"]);

function ignoreMissing(error: unknown): void {
  if (!(error instanceof VendorError && missingCodes.has(error.code))) throw error;
}

/** A failure is `{code, message}`, also with status 200 and inside a stream. */
function findDashScopeFailure({ status, text }: VendorAnswer): VendorError | null {
  const { code, message = "" } = readFailure(text);
  if (status === 200 && !code) return null;
  const name = code ?? String(status);
  const said = `${status} ${name}: ${toErrorText(message || text)}`;
  // Engine codes 413 and 428 are reports of clients, not documented for this model.
  if (/engine return error code: (413|428)|ssml text is not supported/i.test(message)) {
    return new VendorError("text", unacceptedInput, said, false);
  }
  return new VendorError(faultOf(status, name, message), name, said, isPassing(status, name));
}

function readFailure(text: string): { code?: string; message?: string } {
  try {
    return JSON.parse(text) as { code?: string; message?: string };
  } catch {
    return { message: text };
  }
}

/** All voice slots in use is an allocation quota too, and does not pass. */
const isPassing = (status: number, code: string) => status === 429 || status === 503 || /^InternalError/.test(code);

function faultOf(status: number, code: string, message: string): SpeechFault {
  if (/^Audio\./.test(code)) return "reference";
  if (status === 429 || code.startsWith("Throttling")) return "overloaded";
  if (code === "DataInspectionFailed" || code === "CustomRoleBlocked") return "text";
  // The voice is gone, not ready, of another account or another model.
  if (code === "BadRequest.VoiceNotFound" || /requested voice .* is not supported/i.test(message)) return "lost";
  if (/engine return error code: (411|418|431)/i.test(message)) return "lost";
  return code === "InvalidParameter" ? "text" : "engine";
}
