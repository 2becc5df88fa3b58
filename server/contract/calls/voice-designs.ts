import { z } from "zod/v4";
import { designWordsMax } from "../limits";
import { number, pageQuery, rowsOf, text } from "./tolerant";

/** Ours: voices of no real person, the nearest to a description in words first. */
export const voiceDesignsQuery = z.object({ words: text().pipe(z.string().max(designWordsMax)), ...pageQuery });

export const voiceDesign = z.object({
  /** For `sample` and `roleCreate`, for some hours. */
  designId: z.string(),
  gender: z.enum(["female", "male"]),
  pitchHz: number(),
  /** 1 is an ordinary pace. */
  tempo: number(),
});

export const voiceDesigns = z.object({
  list: rowsOf(voiceDesign),
  total: number(),
  /** Parts of the description that say nothing about a voice. */
  unread: rowsOf(z.string()),
});
