import { z } from "zod/v4";
import { content, delivery } from "./tasks";
import { aliased, number, numberOr, optional, rowsOf, text } from "./tolerant";

/** Ours: the characters of a text that can be read in more than one way; the caller's dictionary is obeyed. */
export const readingsRequest = aliased([["content", "text"]], z.object({ content: content() }));

export const reading = z.object({
  /** UTF-16 place in the content. */
  offset: number(),
  char: z.string(),
  /** The reading in use, lexical tone as a digit ("hang2"). */
  reading: z.string(),
  /** Ours: whether that may be wrong, so that an editor draws attention to it; true if unknown. */
  isUnsure: z.boolean().catch(true),
  /** Every reading to choose from, the likeliest first. */
  candidates: z.array(z.string()),
  /** Everyday words for each candidate, in the same order; "" if there is none. */
  examples: rowsOf(z.string()),
  /** Ours: the word around it, for the dictionary, how that word is read here, and which of its syllables this one is; "" if unknown. */
  word: text(),
  wordReading: text(),
  wordAt: numberOr(0),
});
export const readings = z.object({ list: rowsOf(reading) });

const word = () => z.string().trim().min(1).max(20);
/** Syllables with tone digits, separated by spaces: "hang2 zhang3". */
const pinyin = () => z.string().trim().min(2).max(160);

/** Ours: the account's own dictionary, obeyed in everything it has spoken. */
export const dictionaryEntry = z.object({ word: text(), pinyin: text() });
export const dictionaryPutRequest = z.object({ word: word(), pinyin: pinyin() });
export const dictionaryDeleteRequest = z.object({ word: word() });
export const dictionary = z.object({ list: rowsOf(dictionaryEntry) });

/** Ours: a few characters in a role's voice, to hear a reading or a feeling before choosing it; free and for listening only. `genre` 1 is spoken as 0. */
export const sampleRequest = aliased(
  [
    ["content", "text"],
    ["roleId", "audioId"],
  ],
  z.object({
    content: z.string().min(1).max(120),
    roleId: optional(z.string().max(200)),
    /** A designed voice instead of a role's. */
    designId: optional(z.string().max(40)),
    ...delivery,
  }),
);
export const sample = z.object({ voiceUrl: z.string().min(1), duration: optional(number()) });

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
