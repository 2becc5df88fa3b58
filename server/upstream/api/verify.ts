import { Hono } from "hono";
import { verifyMaxBytes } from "~server/contract/limits";
import { AppError } from "../errors";
import type { Verify } from "../verify/verify";
import { addressOf } from "./caller";
import { answer } from "./envelope";
import { receiveUpload } from "./multipart";
import type { Allow } from "./rate";

interface VerifyRouteParts {
  verify: Verify["verify"];
  allow: Allow;
  temporaryPath(): string;
}

/** Decoding costs; somebody with a folder of files gets through it all the same. */
const rule = { limit: 40, windowSeconds: 600 };
/** The page waits no longer than twenty seconds for an answer. */
const answerMs = 18_000;

export function createVerifyRoutes({ verify, allow, temporaryPath }: VerifyRouteParts) {
  return new Hono().post("/verify", async (c) => {
    if (!(await allow(`verify:${addressOf(c)}`, rule))) {
      throw new AppError("too-many", "address verifies too often", { status: 429 });
    }
    const upload = await receiveUpload(c.req.raw, { maxBytes: verifyMaxBytes, temporaryPath });
    try {
      const signal = AbortSignal.any([c.req.raw.signal, AbortSignal.timeout(answerMs)]);
      return answer(c, await verify(upload, signal));
    } finally {
      await upload.remove();
    }
  });
}
