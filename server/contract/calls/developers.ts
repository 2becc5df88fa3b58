import { z } from "zod/v4";
import { apiKeyNameMax, contentMaxLength } from "../limits";
import { flag, id, numberOr, optional, orNull, rowsOf, text } from "./tolerant";

const monthlyLimitMax = 100_000_000;

/** Ours: a key acts for its account in `keyCalls`. The secret is answered once, by its creation. */
export const apiKey = z.object({
  keyId: id(),
  name: text(),
  /** The secret's last four characters. */
  hint: text(),
  /** Characters of a calendar month in Shanghai; null without a limit. */
  monthLimit: orNull(z.number()),
  monthUsed: numberOr(0),
  /** RFC 3339; "" if it was never used. */
  usedAt: text(),
  createdAt: text(),
});
export const apiKeyList = z.object({ list: rowsOf(apiKey) });
export const apiKeyCreateRequest = z.object({
  name: z.string().trim().min(1).max(apiKeyNameMax),
  monthLimit: optional(z.number().int().min(1).max(monthlyLimitMax)),
});
export const apiKeyCreated = apiKey.extend({ secret: z.string().min(1) });
export const apiKeyRevokeRequest = z.object({ keyId: id() });

/** Formats of OpenAI's interface that are encoded here. PCM has no place for the AI-content label. */
export const openAiFormats = ["mp3", "wav", "flac"] as const;

/** POST /audio/speech as OpenAI's interface has it; fields that are not listed are ignored. */
export const speechRequest = z.object({
  model: z.string().max(200),
  input: z.string().min(1).max(contentMaxLength),
  /** Id or name of a role: the caller's own, else one of the square. */
  voice: z.preprocess(
    (value) => (typeof value === "object" && value !== null && "id" in value ? value.id : value),
    z.string().min(1).max(200),
  ),
  response_format: optional(z.string().max(20)),
  speed: optional(z.number()),
  stream_format: optional(z.string().max(20)),
});

export const modelList = z.object({
  object: z.literal("list"),
  data: rowsOf(z.object({ id: z.string(), object: z.literal("model"), created: z.number(), owned_by: z.string() })),
});
export const speechVoiceList = z.object({
  object: z.literal("list"),
  data: rowsOf(z.object({ id: z.string(), name: z.string(), language: text(), gender: text(), is_own: flag() })),
});

/** Ours: where an account's finished and failed work is told, signed as Standard Webhooks has it. */
export const webhook = z.object({
  /** "" without one. */
  url: text(),
  /** The latest, newest first. */
  deliveries: rowsOf(
    z.object({
      deliveryId: id(),
      /** "clone.succeeded", "dub.failed", "test". */
      event: text(),
      taskId: text(),
      state: z.enum(["waiting", "delivered", "failed"]),
      attempts: numberOr(0),
      /** The last answer's status, or why there was none; "" before the first attempt. */
      outcome: text(),
      createdAt: text(),
    }),
  ),
});
export const webhookPutRequest = z.object({ url: z.string().trim().min(1).max(2000) });
/** `whsec_` and base64, as the libraries of Standard Webhooks read it; answered here alone. */
export const webhookPut = z.object({ url: text(), secret: z.string().min(1) });
