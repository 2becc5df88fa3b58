import { fileUploadRequest, recordingUploadRequest } from "~server/contract/calls/files";
import { musicMaxBytes, uploadMaxBytes, verifyMaxBytes } from "~server/contract/limits";
import { AppError } from "../errors";
import type { AddMusic } from "../generations/dubs/music";
import { isAccount } from "../owner";
import type { Verify } from "../verify/verify";
import type { Portraits } from "../voices/portraits";
import type { Recordings } from "../voices/recordings";
import { type Auth, addressOf } from "./auth";
import { createCallRoutes } from "./calls";
import { type ReceivedUpload, receiveUpload } from "./multipart";
import { parse } from "./parse";

export interface UploadRouteParts {
  recordings: Recordings;
  addMusic: AddMusic;
  portraits: Portraits;
  verify: Verify["verify"];
  temporaryPath(): string;
  uploadMaxBytes?: number | undefined;
}

/** The page waits twenty seconds for an answer. */
const verifyTimeoutMs = 18_000;

/** Files that callers send: recordings, music and pictures to store, and sounds to verify. */
export function createUploadRoutes(parts: UploadRouteParts, auth: Auth) {
  const {
    recordings,
    addMusic,
    portraits,
    verify,
    temporaryPath,
    uploadMaxBytes: storedMaxBytes = uploadMaxBytes,
  } = parts;

  const withUpload = async <T>(
    request: Request,
    use: (upload: ReceivedUpload) => Promise<T>,
    maxBytes = storedMaxBytes,
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
