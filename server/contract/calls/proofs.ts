import { z } from "zod/v4";
import { flag, id, numberOr, optional, orNull, text } from "./tolerant";

/**
 * Reasons why a proof was not accepted. The recording cannot be judged: too-short … phone-band. It was judged: words
 * (not those asked for), speaker (not alike), copied (cut from the reference), synthetic (a made voice).
 */
export const proofFaults = [
  "too-short",
  "noisy",
  "clipped",
  "music",
  "phone-band",
  "words",
  "speaker",
  "copied",
  "synthetic",
] as const;
export type ProofFault = (typeof proofFaults)[number];

/**
 * POST /voice/proof/prompt (ours): the voice of a role, or of a recording that is to become one. For a new voice the
 * prompt read aloud is itself that recording, and consent, proof and reference are one reading.
 */
export const proofPromptRequest = z
  .object({
    roleId: optional(id()),
    voicePath: optional(z.string().max(2000)),
    isNewVoice: optional(z.literal(true)),
  })
  .refine(({ roleId, voicePath, isNewVoice }) => roleId || voicePath || isNewVoice);

export const proofPrompt = z.object({
  promptId: id(),
  /** To read aloud first. */
  statement: text(),
  /** Words to read aloud after it, line by line. */
  lines: z.array(z.array(z.string())),
  /** Time until the prompt expires. */
  expiresInSeconds: numberOr(0),
  /** Counted tries before a pause. */
  triesLeft: numberOr(0),
});

/** POST /voice/proof/submit (ours): the prompt read aloud, as an uploaded recording. */
export const proofSubmitRequest = z.object({ promptId: id(), voicePath: z.string().min(1).max(2000) });

export const proofResult = z.object({
  /** `judging`: ask again; `unclear`: evidence for neither; `unusable`: not judged, and not counted. */
  outcome: z.enum(["judging", "yes", "no", "unclear", "unusable"]),
  reason: orNull(z.enum(proofFaults)),
  triesLeft: numberOr(0),
  /** Whether an operator may be asked to listen. */
  canAskReview: flag(),
});

/** GET /voice/proof/result (ours): what became of a submitted prompt. An upstream may also judge while it is submitted. */
export const proofResultQuery = z.object({ promptId: id() });

/** POST /voice/proof/review (ours): asks operators to listen, where `canAskReview` is true. */
export const proofReviewRequest = z.object({ promptId: id() });

const removedVoice = z.object({
  roles: numberOr(0),
  recordings: numberOr(0),
  profiles: numberOr(0),
  outputs: numberOr(0),
  vendorVoices: numberOr(0),
});

/** Signed; POST /verify confirms it as a file. */
export const revocationReceipt = z.object({
  receiptId: id(),
  revokedAt: text(),
  by: z.enum(["owner", "speaker", "operator"]),
  removed: removedVoice,
  signature: text(),
});

export type UnsignedReceipt = Omit<z.output<typeof revocationReceipt>, "signature">;

/** The signed text of a receipt: the same text for the same facts, whatever the order of the fields in a file. */
export const receiptTextOf = ({ receiptId, revokedAt, by, removed }: UnsignedReceipt): string => {
  const { roles, recordings, profiles, outputs, vendorVoices } = removed;
  return JSON.stringify(["revocation-1", receiptId, revokedAt, by, roles, recordings, profiles, outputs, vendorVoices]);
};
