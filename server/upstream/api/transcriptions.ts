import { readFile } from "node:fs/promises";
import { Hono } from "hono";
import { transcriptionRequest } from "~server/contract/calls/scripts";
import { ok } from "~server/contract/codes";
import { transcriptionMaxBytes } from "~server/contract/limits";
import { AppError } from "../errors";
import type { Cue } from "../generations/dubs/subtitles/cues";
import type { SpeechParts } from "../voices/ports";
import type { Auth } from "./auth";
import { receiveUpload } from "./multipart";
import { parse } from "./parse";

export interface TranscriptionRouteParts {
  /** Undefined without an installed recogniser. */
  transcribe: SpeechParts["transcribe"] | undefined;
  /** Subtitles as a file; times in milliseconds. */
  writeSubtitles(format: "srt" | "vtt", cues: Cue[]): string;
  temporaryPath(): string;
}

/** Speech to text, as OpenAI's interface has it. */
export function createTranscriptionRoutes(parts: TranscriptionRouteParts, auth: Auth) {
  const { transcribe, writeSubtitles, temporaryPath } = parts;
  return new Hono().post("/audio/transcriptions", async (c) => {
    await auth.requireAccount(c);
    if (!transcribe) throw new AppError("unsupported", "no recogniser is installed", { status: 404 });
    const upload = await receiveUpload(c.req.raw, { maxBytes: transcriptionMaxBytes, temporaryPath });
    try {
      const { response_format: format = "json" } = parse(transcriptionRequest, upload.fields);
      const { text, language, cues } = await transcribe(await readFile(upload.path), c.req.raw.signal).catch(refuse);
      if (format === "text") return c.text(`${text}\n`);
      if (format === "srt" || format === "vtt")
        return c.text(
          writeSubtitles(
            format,
            cues.map(({ startMs, endMs, ...cue }) => ({ ...cue, start: startMs, end: endMs, name: "" })),
          ),
        );
      const segments = cues.map((cue) => ({ start: cue.startMs / 1000, end: cue.endMs / 1000, text: cue.text }));
      const data = { text, language, segments };
      return c.json({ code: ok, data, msg: "", ...(format === "verbose_json" ? data : { text }) });
    } finally {
      await upload.remove();
    }
  });
}

/** A file that cannot be used, and a recogniser with too much to do, are refused; anything else is unexpected. */
function refuse(cause: unknown): never {
  const { fault, message } = cause as { fault?: unknown; message?: string };
  if (fault === "reference") {
    const code = message === "too-long" ? "reference-too-long" : "reference-not-audio";
    throw new AppError(code, message ?? "", { cause });
  }
  if (fault === "overloaded")
    throw new AppError("too-many", "too many sounds", { status: 429, retryAfterSeconds: 10, cause });
  if (fault === "timeout") throw new AppError("timeout", "transcription took too long", { status: 504, cause });
  throw cause;
}
