import { z } from "zod/v4";
import { number, optional, rowsOf, text } from "./tolerant";

export const transcriptionFormats = ["json", "verbose_json", "text", "srt", "vtt"] as const;

/**
 * POST /audio/transcriptions, multipart: the part `file` beside these fields, as in OpenAI's interface. `text`, `srt` and
 * `vtt` answer plain text instead of an envelope.
 */
export const transcriptionRequest = z.object({
  /** Ignored: the installed recogniser is used. */
  model: optional(z.string().max(200)),
  /** Ignored: the language is recognised. */
  language: optional(z.string().max(20)),
  response_format: optional(z.enum(transcriptionFormats)),
});

/** The answer has `text` beside the envelope too, where clients of OpenAI's interface read it. */
export const transcription = z.object({
  text: text(),
  /** ISO 639 code; "" if unknown. */
  language: text(),
  /** Subtitles in order; seconds from the start. */
  segments: rowsOf(z.object({ start: number(), end: number(), text: z.string() })),
});
