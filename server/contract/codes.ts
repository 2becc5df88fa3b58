/**
 * Envelope codes of /api/v1 and what the BFF itself can say. Codes, never sentences: app/copy/errors.ts has a sentence for each.
 * 0 ok · 5 login expired · 1001 entitlement missing or used up · 7 general failure (specification section 8).
 */
export const ok = 0;
/** Success in upstreams that repeat the HTTP status as the code. */
export const otherOk = 200;
export const loginExpired = 5;
export const entitlement = 1001;
export const failure = 7;

export type EnvelopeCode = typeof ok | typeof loginExpired | typeof entitlement | typeof failure;

/** Reasons why a call could not go on; `message` of an AppError is for logs, the short code is what travels. */
export const errorCodes = [
  "login-expired",
  "account-banned",
  "entitlement",
  "failure",
  "too-large",
  "too-many",
  "storage-full",
  "not-found",
  "bad-request",
  "forbidden",
  "unsupported",
  "request-failed",
  "unreadable",
  "network",
  "timeout",
  "code-wrong",
  "invoice-refused",
  "invoice-issued",
  "redeem-wrong",
  "redeem-expired",
  "redeem-used",
  "redeem-repeated",
  "reference-not-audio",
  "reference-format",
  "reference-too-short",
  "reference-too-long",
  "reference-silent",
  "reference-clipped",
  "reference-noisy",
  "reference-music",
  "reference-singing",
  "reference-whisper",
  "reference-no-speech",
  "reference-truncated",
  "text-empty",
  "text-too-long",
  "pauses-too-long",
  "sound-too-long",
  "voice-missing",
  "voice-lost",
  "voice-blocked",
  "voice-of-person",
  "consent-missing",
  "consent-declined",
  "proof-missing",
  "proof-expired",
  "proof-paused",
  "proof-judging",
  "proof-reference-short",
  "image-unreadable",
  "music-unreadable",
  "music-length",
  "music-missing",
  "synthesis-failed",
  "video-limit",
  "video-too-long",
  "video-timeline-missing",
  "video-format-missing",
  "project-limit",
  "template-limit",
  "picture-missing",
  "loop-unreadable",
  "loop-needs-ffmpeg",
  "cancelled",
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/** Reasons of code 1001 where the upstream names one: characters of the month, trials, or the tier. */
export const entitlementReasons = ["quota", "trial", "tier"] as const;
export type EntitlementReason = (typeof entitlementReasons)[number];

/** The known reason in a refusal's data; null if there is none. */
export function entitlementReasonOf(data: { reason?: unknown } | undefined): EntitlementReason | null {
  return entitlementReasons.find((reason) => reason === data?.reason) ?? null;
}
