import { readFileSync } from "node:fs";
import { readForm } from "./form";
import { parseWav, requireReference } from "./reference";
import { type Protocol, type ReceivedRequest, Refusal, streamHeader } from "./server";

const jsonOf = ({ headers, body }: ReceivedRequest): Record<string, unknown> => {
  if (!headers["content-type"]?.startsWith("application/json"))
    throw new Refusal(415, { detail: "Unsupported Media Type" });
  return JSON.parse(body.toString()) as Record<string, unknown>;
};

const textOf = (value: unknown, name: string): string => {
  if (typeof value !== "string" || value === "")
    throw new Refusal(422, { detail: [{ loc: ["body", name], msg: "Field required" }] });
  return value;
};

const path = ({ path: whole, method }: ReceivedRequest, ...known: string[]) => {
  if (!known.includes(whole)) throw new Refusal(404, { detail: "Not Found" });
  if (method !== "POST") throw new Refusal(405, { detail: "Method Not Allowed" });
  return whole;
};

const header = (rate: number) => streamHeader(rate, 0xff_ff_ff_ff);

/** CosyVoice, runtime/python/fastapi/server.py: forms as input, raw samples without a content type as output. */
export const cosyVoice: Protocol = {
  healthPath: "/openapi.json",
  sampleRate: 24_000,
  contentType: undefined,
  header: () => new Uint8Array(0),
  refusal: { status: 422, body: '{"detail":[{"loc":["body","tts_text"],"msg":"Field required","type":"missing"}]}' },
  failure: { status: 500, body: "Internal Server Error" },
  async read(request) {
    const mode = path(request, "/inference_zero_shot", "/inference_cross_lingual", "/inference_instruct2").slice(1);
    const { fields, files } = await readForm(request);
    if (mode === "inference_zero_shot") textOf(fields.prompt_text, "prompt_text");
    if (mode === "inference_instruct2") textOf(fields.instruct_text, "instruct_text");
    requireReference(files.prompt_wav?.bytes, { leastRate: 16_000, mostSeconds: 30 });
    return { text: textOf(fields.tts_text, "tts_text") };
  },
};

/** vLLM-Omni's `/v1/audio/speech` with a task of type Base. */
export const openAi: Protocol = {
  healthPath: "/v1/models",
  sampleRate: 24_000,
  contentType: "audio/wav",
  header,
  refusal: { status: 400, body: '{"object":"error","message":"Base task requires ref_audio","code":400}' },
  failure: { status: 500, body: '{"object":"error","message":"EngineDeadError","code":500}' },
  read(request) {
    path(request, "/v1/audio/speech");
    const body = jsonOf(request);
    textOf(body.model, "model");
    const [, encoded] = /^data:audio\/wav;base64,(.+)$/.exec(textOf(body.ref_audio, "ref_audio")) ?? [];
    requireReference(encoded && Buffer.from(encoded, "base64"), { leastRate: 16_000, mostSeconds: 30 });
    if (body.task_type !== "Base") throw new Refusal(400, { message: "task_type" });
    if (!body.ref_text && body.x_vector_only_mode !== true) throw new Refusal(400, { message: "ref_text is required" });
    if (body.stream && (body.speed ?? 1) !== 1)
      throw new Refusal(400, { message: "speed is not supported when stream=true" });
    if (body.stream && !(body.response_format === "pcm" && body.stream_format === "audio")) {
      throw new Refusal(400, { message: "stream=true requires response_format='pcm'" });
    }
    return { text: textOf(body.input, "input"), isRaw: body.response_format === "pcm" };
  },
};

/** GPT-SoVITS, api_v2.py: the recording is on the server's own disk; its WAV header declares no samples. */
export const gptSoVits: Protocol = {
  healthPath: "/openapi.json",
  sampleRate: 32_000,
  contentType: "audio/wav",
  header: (rate) => streamHeader(rate, 0),
  refusal: { status: 400, body: '{"message":"text is required"}' },
  failure: { status: 400, body: '{"message":"tts failed","Exception":"CUDA out of memory"}' },
  read(request) {
    path(request, "/tts");
    const body = jsonOf(request);
    const languages = ["zh", "en", "ja", "ko", "yue", "auto"];
    for (const name of ["text_lang", "prompt_lang"]) {
      if (!languages.includes(String(body[name]))) throw new Refusal(400, { message: `${name} is required` });
    }
    if (![0, 1, 2, 3].includes(body.streaming_mode as number)) throw new Refusal(400, { message: "streaming_mode" });
    const file = textOf(body.ref_audio_path, "ref_audio_path");
    const { seconds } = parseWav(readFileSync(file));
    if (seconds < 3 || seconds > 10)
      throw new Refusal(400, { message: "tts failed", Exception: "参考音频在3~10秒范围外，请更换！" });
    return { text: textOf(body.text, "text") };
  },
};

/** fish-speech, tools/server/views.py: recordings in base64 next to the text; only WAV is streamed. */
export const fishSpeech: Protocol = {
  healthPath: "/v1/health",
  sampleRate: 44_100,
  contentType: "audio/wav",
  header: (rate) => streamHeader(rate, 0),
  refusal: { status: 400, body: '{"content":"Text is too long, max length is 100"}' },
  failure: { status: 500, body: '{"statusCode":500,"message":"Failed to generate speech"}' },
  read(request) {
    path(request, "/v1/tts");
    const body = jsonOf(request);
    if (body.streaming && body.format !== "wav")
      throw new Refusal(400, { content: "Streaming only supports WAV format" });
    const references = body.references as Array<{ audio: string; text: unknown }>;
    for (const { audio, text } of references) {
      if (typeof text !== "string") throw new Refusal(422, { detail: "references.text" });
      // Shorter strings are decoded as bytes.
      if (audio.length <= 255) throw new Refusal(422, { detail: "references.audio" });
      requireReference(Buffer.from(audio, "base64"), { leastRate: 16_000, mostSeconds: 30 });
    }
    return { text: textOf(body.text, "text") };
  },
};
