import type { CallName } from "../contract/calls/table";

/**
 * The contract's calls that the browser makes unchanged, as `POST /bff/calls/<name>` with the call's input as JSON. The
 * upstream client validates the input; the web host has checked that the request comes from our own pages.
 */
export const passedCalls = [
  "captcha",
  "userDeleteCode",
  "audibleMark",
  "audibleMarkChange",
  "stepStart",
  "refundAsk",
  "redeem",
  "products",
  "roleCreate",
  "roleUpdate",
  "rolePublish",
  "roleDelete",
  "roleRevoke",
  "roleReport",
  "proofPrompt",
  "proofSubmit",
  "proofResult",
  "proofReview",
  "consentAsk",
  "consentPrompt",
  "consentSubmit",
  "consentAnswer",
  "consentLinkRemove",
  "cloneDelete",
  "dubQuote",
  "dubDelete",
  "videoCreate",
  "videoList",
  "videoDelete",
  "taskCancel",
  "taskRetry",
  "shareCreate",
  "shareList",
  "shareRevoke",
  "readings",
  "sample",
  "voiceDesigns",
  "dictionaryPut",
] as const satisfies readonly CallName[];

export type PassedCall = (typeof passedCalls)[number];
