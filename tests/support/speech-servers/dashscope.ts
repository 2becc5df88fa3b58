import { parseWav } from "./reference";
import type { ReceivedRequest } from "./server";
import { type VendorProtocol, VendorRefusal, type VendorReply } from "./vendor";

type Json = Record<string, unknown>;

const ok = (output: object): VendorReply => ({ status: 200, body: { output, usage: { count: 1 }, request_id: "r" } });
const bad = (code: string, message: string, status = 400): VendorReply => ({
  status,
  body: { code, message, request_id: "r" },
});
const bodyOf = ({ body }: ReceivedRequest) => JSON.parse(body.toString()) as { model: string; input: Json };

/**
 * DashScope's CosyVoice and Qwen voices: enrolment on the customization path, synthesis over server-sent events. Written from the pages
 * "voice cloning" and "CosyVoice TTS HTTP API"; a new voice is `DEPLOYING` at the first `deployingQueries`.
 */
export function createDashScope({ slots = 1000, deployingQueries = 1 } = {}) {
  const voices = new Map<string, { model: string; queries: number; seconds: number }>();
  /** Answers to the next queries for a new voice. */
  const verdicts: string[] = [];

  function createVoice(input: Json): VendorReply {
    const { prefix, url, target_model: model } = input;
    if (typeof prefix !== "string" || !/^[a-z0-9]{1,9}$/.test(prefix)) return bad("InvalidParameter", "prefix");
    if (voices.size >= slots) return bad("Throttling.AllocationQuota", "Too many voices");
    const [, encoded = ""] = /^data:audio\/wav;base64,(.+)$/.exec(String(url)) ?? [];
    const wav = parseWav(Buffer.from(encoded, "base64"));
    if (wav.sampleRate < 16_000) return bad("Audio.AudioRateError", "sample rate");
    if (wav.seconds < 5) return bad("Audio.AudioShortError", "Audio too short");
    const id = `${model}-${prefix}-8aae0c1d`;
    voices.set(id, { model: String(model), queries: 0, seconds: wav.seconds });
    return ok({ voice_id: id });
  }

  function changeVoices({ input }: { input: Json }): VendorReply {
    const id = String(input.voice_id);
    const found = voices.get(id);
    const missing = bad("BadRequest.ResourceNotExist", "The requested resource does not exist");
    switch (input.action) {
      case "create_voice":
        return createVoice(input);
      case "query_voice":
        if (!found) return missing;
        return ok({
          status: verdicts.shift() ?? (found.queries++ < deployingQueries ? "DEPLOYING" : "OK"),
          target_model: found.model,
        });
      case "list_voice": {
        const listed = [...voices.keys()].filter(
          (name) => !name.startsWith("qwen-") && name.includes(`-${input.prefix ?? ""}`),
        );
        return ok({ voice_list: listed.slice(0, Number(input.page_size)).map((voice_id) => ({ voice_id })) });
      }
      case "delete_voice":
        return voices.delete(id) ? ok({}) : missing;
      default:
        return bad("InvalidParameter", "action");
    }
  }

  /** Qwen's voices; a transcript has to be that of the recording. */
  function changeQwenVoices({ input }: { input: Json }): VendorReply {
    const id = String(input.voice);
    if (input.action === "create") {
      const { preferred_name: name, audio, target_model: model, text } = input;
      if (typeof name !== "string" || !/^\w{1,16}$/.test(name)) return bad("InvalidParameter", "preferred_name");
      const [, encoded = ""] = /^data:audio\/wav;base64,(.+)$/.exec(String((audio as Json)?.data)) ?? [];
      const wav = parseWav(Buffer.from(encoded, "base64"));
      if (wav.sampleRate < 24_000) return bad("Audio.AudioRateError", "sample rate");
      if (text !== undefined && text !== qwen.spoken) return bad("Audio.PreprocessError", "text mismatch");
      const voice = `qwen-tts-vc-${name}-voice-20261123-8aae`;
      voices.set(voice, { model: String(model), queries: 1, seconds: wav.seconds });
      return ok({ voice, target_model: model });
    }
    if (input.action === "list") {
      const size = Number(input.page_size);
      const listed = [...voices.keys()].filter((name) => name.startsWith("qwen-"));
      const page = listed.slice(Number(input.page_index) * size, (Number(input.page_index) + 1) * size);
      return ok({ voice_list: page.map((voice) => ({ voice })) });
    }
    if (input.action !== "delete") return bad("InvalidParameter", "action");
    return voices.delete(id) ? ok({}) : bad("BadRequest.VoiceNotFound", "The requested voice does not exist");
  }

  function readQwen({ model, input }: { model: string; input: Json }): string {
    if (Object.keys(input).sort().join() !== "language_type,text,voice")
      throw new VendorRefusal(bad("InvalidParameter", "input"));
    const voice = String(input.voice);
    if (voices.get(voice)?.model === model) return String(input.text);
    throw new VendorRefusal(bad("InvalidParameter", `The requested voice '${voice}' is not supported`));
  }

  const qwen = { spoken: "希望你以后能够做得比我还好。" };
  const qwenPath = "/services/aigc/multimodal-generation/generation";
  const protocol: VendorProtocol = {
    apiKey: "sk-dash",
    unauthorised: bad("InvalidApiKey", "Invalid API-key provided.", 401),
    sampleRate: 24_000,
    failures: {
      busy: bad("Throttling.RateQuota", "Requests rate limit exceeded", 429),
      broken: bad("InternalError.Algo", "internal error", 500),
      "refuses-text": bad("DataInspectionFailed", "Input data may contain inappropriate content."),
      "voice-lost": bad("InvalidParameter", "request failed, Engine return error code: 418"),
    },
    toEvent: (samples) => ({
      output: { type: "sentence-synthesis", audio: { data: samples.toString("base64") }, finish_reason: "null" },
    }),
    lastEvent: {
      output: { finish_reason: "stop", audio: { url: "http://127.0.0.1:9/whole.pcm" } },
      usage: { characters: 8 },
    },
    isSpeech: ({ path }) => path === "/services/audio/tts/SpeechSynthesizer" || path === qwenPath,
    answer(request) {
      if (request.path === "/services/audio/tts/customization") {
        const body = bodyOf(request);
        return body.model === "qwen-voice-enrollment" ? changeQwenVoices(body) : changeVoices(body);
      }
      return protocol.isSpeech(request) ? null : bad("NotFound", "path", 404);
    },
    read(request, behaviour) {
      const { model, input } = bodyOf(request);
      const refuse = (message: string) => new VendorRefusal(bad("InvalidParameter", message));
      if (request.headers["x-dashscope-sse"] !== "enable") throw refuse("SSE");
      if (request.path === qwenPath) return readQwen({ model, input });
      const voice = voices.get(String(input.voice));
      if (!voice || voice.model !== model) throw refuse("request failed, Engine return error code: 418");
      if (input.format !== "pcm" || input.sample_rate !== 24_000) throw refuse("format");
      if (!(Number(input.rate) >= 0.5 && Number(input.rate) <= 2)) throw refuse("rate");
      if (behaviour === "no-markup" && input.enable_ssml) throw refuse("SSML text is not supported at the moment");
      if (behaviour === "no-markup" && input.instruction) throw refuse("Engine return error code: 428");
      const text = String(input.text);
      if (input.enable_ssml && !/^<speak>.*<\/speak>$/.test(text)) throw refuse("ssml");
      return text.replace(/<[^>]+>/g, "");
    },
  };
  return { protocol, voices, verdicts };
}
