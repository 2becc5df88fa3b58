import { Hono } from "hono";
import { fileUploadRequest } from "~server/contract/calls/files";
import { uploadMaxBytes } from "~server/contract/limits";
import type { Portraits } from "../voices/portraits";
import type { Recordings } from "../voices/recordings";
import type { Auth } from "./auth";
import { idempotencyKeyOf } from "./caller";
import { answer } from "./envelope";
import { type ReceivedUpload, receiveUpload } from "./multipart";
import { parse } from "./parse";

interface UploadRouteParts {
  recordings: Recordings;
  portraits: Portraits;
  auth: Auth;
  temporaryPath(): string;
  maxBytes?: number | undefined;
}

export function createUploadRoutes(parts: UploadRouteParts) {
  const { recordings, portraits, auth, temporaryPath, maxBytes = uploadMaxBytes } = parts;

  const withUpload = async <T>(request: Request, use: (upload: ReceivedUpload) => Promise<T>): Promise<T> => {
    const upload = await receiveUpload(request, { maxBytes, temporaryPath });
    try {
      return await use(upload);
    } finally {
      await upload.remove();
    }
  };

  return new Hono()
    .post("/file/uploadCustom", async (c) => {
      const owner = await auth.requireOwner(c);
      const key = idempotencyKeyOf(c);
      return answer(c, await withUpload(c.req.raw, (upload) => recordings.add(owner, upload, key)));
    })
    .post("/file/upload", async (c) => {
      const owner = await auth.requireOwner(c);
      const key = idempotencyKeyOf(c);
      const stored = await withUpload<object>(c.req.raw, (upload) => {
        const { type } = parse(fileUploadRequest, upload.fields);
        return type === "image" ? portraits.add(owner, upload, key) : recordings.add(owner, upload, key);
      });
      return answer(c, stored);
    });
}
