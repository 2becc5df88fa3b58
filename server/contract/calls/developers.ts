import { z } from "zod/v4";
import { contentMaxLength } from "../limits";
import { flag, id, numberOr, optional, orNull, rowsOf, text } from "./tolerant";

/** Keys of an account, and characters that a key may be limited to in a month. */
export const apiKeysMax = 20;
export const apiKeyNameMax = 40;
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
  voice: z.union([z.string().min(1).max(200), z.object({ id: z.string().min(1).max(200) }).transform(({ id }) => id)]),
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
