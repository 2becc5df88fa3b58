import { Hono } from "hono";
import { verifyMaxBytes } from "~server/contract/limits";
import type { Verify } from "../verify/verify";
import { answer } from "./envelope";
import { receiveUpload } from "./multipart";

interface VerifyRouteParts {
  verify: Verify["verify"];
  temporaryPath(): string;
}

/** The page waits no longer than twenty seconds for an answer. */
const answerMs = 18_000;

export function createVerifyRoutes({ verify, temporaryPath }: VerifyRouteParts) {
  return new Hono().post("/verify", async (c) => {
    const upload = await receiveUpload(c.req.raw, { maxBytes: verifyMaxBytes, temporaryPath });
    try {
      const signal = AbortSignal.any([c.req.raw.signal, AbortSignal.timeout(answerMs)]);
      return answer(c, await verify(upload, signal));
    } finally {
      await upload.remove();
    }
  });
}
