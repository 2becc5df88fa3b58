import { readFile } from "node:fs/promises";
import { imageMaxBytes } from "~server/contract/limits";
import type { Once } from "../db/idempotency";
import { AppError } from "../errors";
import type { Files, Owner } from "./ports";
import type { Upload } from "./recordings";

interface Portrait {
  url: string;
  filePath: string;
  voicePath: string;
  name: string;
  size: number;
  mime: string;
}

export interface Portraits {
  /** Stores an image drawn anew, so that nothing but its pixels is kept. */
  add(owner: Owner, upload: Upload, key?: string): Promise<Portrait>;
}

interface PortraitParts {
  once: Once;
  files: Files;
  /** Draws an upload anew; throws AppError bad-request for what is no picture. */
  encodeImage(bytes: Uint8Array): Promise<{ bytes: Uint8Array; format: string }>;
}

/** Portraits people upload for their digital humans. */
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
      if (result.kind === "other-request") throw new AppError("bad-request", "key of another request", { status: 409 });
      return result.answer;
    },
  };
}
