import { readFile } from "node:fs/promises";
import type { CallData } from "~server/contract/calls/table";
import { imageMaxBytes } from "~server/contract/limits";
import type { Once } from "../db/idempotency";
import { AppError, requireSameRequest } from "../errors";
import type { Owner } from "../owner";
import type { Files } from "./ports";
import type { Upload } from "./recordings";

type Portrait = Omit<CallData<"fileUpload">, "duration" | "quality">;

export interface Portraits {
  /** Re-encodes an image, which drops its metadata, and stores it. */
  add(owner: Owner, upload: Upload, key?: string): Promise<Portrait>;
}

interface PortraitParts {
  once: Once;
  files: Files;
  /** Throws AppError image-unreadable for what is no image. */
  encodeImage(bytes: Uint8Array): Promise<{ bytes: Uint8Array; format: string }>;
}

/** Uploaded pictures of roles. */
export function createPortraits({ once, files, encodeImage }: PortraitParts): Portraits {
  return {
    async add(owner, upload, key) {
      if (upload.size > imageMaxBytes) throw new AppError("too-large", "image is too large", { status: 413 });
      const { bytes, format } = await encodeImage(await readFile(upload.path));
      const { id, url } = await files.keep({ owner, kind: "image", format, body: bytes, size: bytes.length });
      const request = { name: upload.name, size: upload.size };
      const result = await once({ owner, call: "portrait", key, request }, async () => {
        const paths = { url, filePath: url, voicePath: url };
        return { ...paths, name: upload.name, size: bytes.length, mime: `image/${format}` };
      });
      if (result.kind === "other-request" || !result.first) await files.remove(id);
      requireSameRequest(result);
      return result.answer;
    },
  };
}
