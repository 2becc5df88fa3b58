import { Readable } from "node:stream";
import type { Context } from "hono";
import { openAiFormats, speechRequest } from "~server/contract/calls/developers";
import type { CallRequest } from "~server/contract/calls/table";
import { convertedFormats, soundFormats } from "~server/contract/calls/tasks";
import { fileIdOf } from "~server/contract/file-address";
import { speedMax, speedMin } from "~server/contract/limits";
import { toWebStream } from "~server/web-stream";
import { AppError } from "../errors";
import { type AccountOwner, ownerOf } from "../owner";
import { type Auth, idempotencyKeyOf } from "./auth";
import { createCallRoutes } from "./calls";
import { conditionsOf, toResponse } from "./files";
import { parse, readJson } from "./parse";
import type { ApiParts } from "./parts";

/** The names under which programs written for OpenAI's interface ask; whatever the name, the site's engine speaks. */
const speechModels = ["shengxiang", "tts-1", "tts-1-hd", "gpt-4o-mini-tts"];
const transcriptionModels = ["shengxiang-asr", "whisper-1"];
const firstReleaseSeconds = 1_767_225_600;

/** OpenAI's interface for speech, below /api/v1. */
export function createOpenAiRoutes(parts: ApiParts, auth: Auth) {
  const { usableRoles, speech } = parts;
  const models = [...speechModels, ...(speech.transcribe ? transcriptionModels : [])];
  return createCallRoutes(auth, {
    speechModels: (_, { c }) =>
      c.json({
        object: "list",
        data: models.map((id) => ({ id, object: "model", created: firstReleaseSeconds, owned_by: "shengxiang" })),
      }),
    speechVoices: async (_, { owner, c }) => c.json({ object: "list", data: await usableRoles.list(owner) }),
  }).post("/audio/speech", async (c) => {
    const owner = ownerOf(await auth.requireAccount(c));
    const request = parse(speechRequest, await readJson(c));
    const format = requireSpeakable(request);
    const { voice } = request;
    const role = await usableRoles.findByName(owner, voice);
    if (!role) throw new AppError("voice-missing", `no voice is called ${voice}`, { status: 400 });
    if (!role.isReady) throw refuse("voice", "voice_not_ready", `the voice ${voice} is still being learned`);
    const origin = { idempotencyKey: idempotencyKeyOf(c), apiKeyId: await auth.findApiKeyId(c) };
    const { taskId } = await parts.clones.create(owner, toCloneRequest(c, request, role.id), {
      ...origin,
      isStreamed: soundFormats.some((one) => one === format),
    });
    return answerSpeech(c, parts, { owner, taskId, format });
  });
}

type SpeechFormat = (typeof openAiFormats)[number];

const refuse = (param: string, code: string, message: string) =>
  new AppError("bad-request", message, { status: 400, data: { fields: [param], code } });

/** The format to answer in. Throws bad-request with the field for what is not available here. */
function requireSpeakable({
  model,
  speed = 1,
  response_format: wanted = "mp3",
  stream_format: form = "audio",
}: CallRequest<"speech">): SpeechFormat {
  if (!speechModels.includes(model)) throw refuse("model", "model_not_found", `no model is called ${model}`);
  if (speed < speedMin || speed > speedMax)
    throw refuse("speed", "invalid_value", `speed is ${speedMin} to ${speedMax} here`);
  if (form !== "audio")
    throw refuse("stream_format", "unsupported_value", "only stream_format audio is available here");
  const format = openAiFormats.find((one) => one === wanted);
  if (format) return format;
  const why =
    wanted === "pcm" ? "pcm cannot carry the AI-content label of GB 45438-2025" : `${wanted} is not encoded here`;
  throw refuse("response_format", "unsupported_format", `${why}; available: ${openAiFormats.join(", ")}`);
}

/** A repetition by OpenAI's own client, which sends no idempotency key, gets the first one's speech. */
function toCloneRequest(c: Context, { input, speed = 1 }: CallRequest<"speech">, roleId: string) {
  const isRepetition = Number(c.req.header("x-stainless-retry-count") ?? 0) > 0 && !idempotencyKeyOf(c);
  return { content: input, roleId, speed, genre: 0 as const, emotionPath: "", reuse: isRepetition };
}

interface AskedSpeech {
  owner: AccountOwner;
  taskId: string;
  format: SpeechFormat;
}

/** The bytes while they are made, or the finished download, which has the same marks. */
async function answerSpeech(c: Context, parts: ApiParts, { owner, taskId, format }: AskedSpeech) {
  const converted = convertedFormats.find((one) => one === format);
  const followed = await parts.followSpeech({ owner, taskId, format, signal: c.req.raw.signal });
  if ("bytes" in followed) {
    c.header("content-type", format === "mp3" ? "audio/mpeg" : "audio/wav");
    c.header("x-content-type-options", "nosniff");
    return c.newResponse(toWebStream(Readable.from(followed.bytes)));
  }
  const playId = fileIdOf(followed.playUrl) ?? "";
  const id = converted
    ? await parts.conversions.find(playId, converted, owner)
    : await parts.renditions.exportOf(playId, format);
  const file = id && (await parts.files.find(id, owner));
  if (!file) throw new AppError("not-found", "the speech was deleted meanwhile", { status: 404 });
  return toResponse(c, await parts.files.serve(file, conditionsOf(c)), null);
}
