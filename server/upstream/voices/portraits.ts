import { readFile } from "node:fs/promises";
import type { CallData } from "~server/contract/calls/table";
import { imageMaxBytes } from "~server/contract/limits";
import type { Once } from "../db/idempotency";
import { AppError } from "../errors";
import type { Owner } from "../owner";
import type { Files } from "./ports";
import type { Upload } from "./reading-uploads";

/** Of roles: `image`. Of films: `picture`, and `loop` for a moving one. */
type PictureType = "image" | "picture" | "loop";
type Portrait = Omit<CallData<"fileUpload">, "duration" | "quality">;

export type Portraits = ReturnType<typeof createPortraits>;

interface PortraitParts {
  once: Once;
  files: Files;
  /** Throw AppError image-unreadable or loop-unreadable for what is no image. */
  encoders: Record<PictureType, (bytes: Uint8Array, path: string) => Promise<{ bytes: Uint8Array; format: string }>>;
}

/** Uploaded pictures of roles and films. */
export function createPortraits({ once, files, encoders }: PortraitParts) {
  return {
    /** Re-encodes an image, which drops its metadata, and stores it. */
    async add(owner: Owner, type: PictureType, upload: Upload, key?: string): Promise<Portrait> {
      if (upload.size > imageMaxBytes) throw new AppError("too-large", "image is too large", { status: 413 });
      const { bytes, format } = await encoders[type](await readFile(upload.path), upload.path);
      const kind = type === "image" ? "image" : "picture";
      const { id, url } = await files.keep({ owner, kind, format, body: bytes, size: bytes.length });
      const request = { name: upload.name, size: upload.size, ...(type !== "image" && { type }) };
      const result = await once({ owner, call: "portrait", key, request }, async () => {
        const paths = { url, filePath: url, voicePath: url };
        return { ...paths, name: upload.name, size: bytes.length, mime: `image/${format}` };
      }).catch(async (error: unknown) => {
        if (error instanceof AppError) await files.remove(id);
        throw error;
      });
      if (!result.first) await files.remove(id);
      return result.answer;
    },
  };
}
