import { makingCopy } from "~/copy/dubbing/making";
import { sentenceFor } from "~/copy/errors";
import type { Dub } from "~server/bff/generations.server";

/** Why a dub failed, in a sentence. */
export function failureWords({ reason, failedAt }: Dub): string {
  if (reason === "cancelled") return makingCopy.cancelled;
  if (reason && reason !== "synthesis-failed") return sentenceFor({ code: reason });
  return failedAt === undefined ? makingCopy.failed : makingCopy.failedAt(failedAt + 1);
}
