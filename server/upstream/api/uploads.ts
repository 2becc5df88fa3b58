import { readFile } from "node:fs/promises";
import { Hono } from "hono";
import { fileUploadRequest, recordingUploadRequest } from "~server/contract/calls/files";
import { transcriptionRequest } from "~server/contract/calls/scripts";
import { ok } from "~server/contract/codes";
import { musicMaxBytes, transcriptionMaxBytes, uploadMaxBytes, verifyMaxBytes } from "~server/contract/limits";
import { AppError } from "../errors";
import { isAccount } from "../owner";
import { type Auth, addressOf } from "./auth";
import { createCallRoutes } from "./calls";
import { type ReceivedUpload, receiveUpload } from "./multipart";
import { parse } from "./parse";
import type { ApiParts } from "./parts";

/** The page waits twenty seconds for an answer. */
const verifyTimeoutMs = 18_000;

/** Files that callers send: recordings, music and pictures to store, and sounds to verify. */
export function createUploadRoutes(parts: ApiParts, auth: Auth) {
  const { recordings, addMusic, portraits, verify, temporaryPath } = parts;

  const withUpload = async <T>(
    request: Request,
    use: (upload: ReceivedUpload) => Promise<T>,
    maxBytes = parts.uploadMaxBytes ?? uploadMaxBytes,
  ): Promise<T> => {
    const upload = await receiveUpload(request, { maxBytes, temporaryPath });
    try {
      return await use(upload);
    } finally {
      await upload.remove();
    }
  };

  return createCallRoutes(auth, {
    recordingUpload: (_, { owner, idempotencyKey, c }) =>
      withUpload(c.req.raw, (upload) => {
        const { denoise } = parse(recordingUploadRequest, upload.fields);
        return recordings[denoise ? "addDenoised" : "add"](owner, upload, idempotencyKey);
      }),
    fileUpload: (_, { owner, idempotencyKey, c }) =>
      withUpload<object>(c.req.raw, (upload) => {
        const { type, denoise } = parse(fileUploadRequest, upload.fields);
        if (type === "audio") return recordings[denoise ? "addDenoised" : "add"](owner, upload, idempotencyKey);
        // Films are made by accounts.
        if (type !== "image" && !isAccount(owner)) throw new AppError("login-expired", "films need an account");
        return portraits.add(owner, type, upload, idempotencyKey);
      }),
    musicUpload: (_, { owner, idempotencyKey, c }) =>
      withUpload(c.req.raw, (upload) => addMusic(owner, upload, idempotencyKey), musicMaxBytes),
    verify: (_, { c }) =>
      verify(addressOf(c), (verifyFile) =>
        withUpload(
          c.req.raw,
          ({ path }) => verifyFile(path, AbortSignal.any([c.req.raw.signal, AbortSignal.timeout(verifyTimeoutMs)])),
          verifyMaxBytes,
        ),
      ),
  });
}

/** Speech to text, as OpenAI's interface has it. */
export function createTranscriptionRoutes(parts: ApiParts, auth: Auth) {
  const { writeSubtitles, temporaryPath } = parts;
  const { transcribe } = parts.speech;
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
