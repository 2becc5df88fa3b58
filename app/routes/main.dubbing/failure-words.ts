import { dubGenerationCopy } from "~/copy/dubbing-records";
import { sentenceFor } from "~/copy/errors";
import type { Dub } from "~server/bff/generations.server";

/** Why a dub failed, in a sentence. */
export function failureWords({ reason, failedAt }: Dub): string {
  if (reason === "cancelled") return dubGenerationCopy.cancelled;
  if (reason && reason !== "synthesis-failed") return sentenceFor({ code: reason });
  return failedAt === undefined ? dubGenerationCopy.failed : dubGenerationCopy.failedAt(failedAt + 1);
}
