import { z } from "zod/v4";
import { askerNameMax } from "../limits";
import { proofPrompt, proofResult, revocationReceipt } from "./proofs";
import { id, optional, orNull, rowsOf, text } from "./tolerant";

/**
 * waiting: not answered yet · judging: what was read is being compared · review: operators listen to it · given,
 * declined, withdrawn: by the person · expired: not answered in time · ended: the voice was deleted.
 */
export const consentLinkStates = [
  "waiting",
  "judging",
  "review",
  "given",
  "declined",
  "withdrawn",
  "expired",
  "ended",
] as const;
const state = () => z.enum(consentLinkStates);

/** POST /voice/consent-link/create (ours): asks the person whose voice a role has. Ends the role's earlier link. */
export const consentLinkCreateRequest = z.object({
  roleId: id(),
  /** The asking person's name, shown to the invited person. */
  askerName: z.string().trim().min(1).max(askerNameMax),
});

export const consentLink = z.object({
  linkId: id(),
  roleId: id(),
  /** The role's name when the link was made. */
  roleName: text(),
  askerName: text(),
  state: state(),
  /** Token of the person's page; "" once the question is closed. */
  token: text(),
  /** RFC 3339, like all times here. */
  createdAt: text(),
  /** End of the time to answer. */
  expiresAt: text(),
  /** Time of the person's answer; "" before it. */
  answeredAt: text(),
});

/** The caller's links, newest first; with `roleId` those of one role. */
export const consentLinkListQuery = z.object({ roleId: optional(id()) });
export const consentLinks = z.object({ list: rowsOf(consentLink) });

/** POST /voice/consent-link/remove (ours): ends an open question, and takes a link without a consent from the list. */
export const consentLinkRemoveRequest = z.object({ linkId: id() });

const token = () => z.string().regex(/^[\w-]{32}$/);

/** GET /voice/consent-link/ask (ours): what the person with the link sees. Nothing of the asking account but the name. */
export const consentAskQuery = z.object({ token: token() });
export const consentAsk = z.object({
  askerName: text(),
  state: state(),
  createdAt: text(),
  expiresAt: text(),
  answeredAt: text(),
  /** The latest prompt that was read aloud, while the question is open. */
  attempt: orNull(proofResult),
  /** Receipt of a withdrawn consent. */
  receipt: orNull(revocationReceipt),
});

/** POST /voice/consent-link/prompt and /submit (ours): as with the proof of one's own voice. */
export const consentPromptRequest = z.object({ token: token() });
export const consentSubmitRequest = z.object({
  token: token(),
  promptId: id(),
  voicePath: z.string().min(1).max(2000),
});
export const consentPrompt = proofPrompt;
export const consentResult = proofResult;

/**
 * POST /voice/consent-link/answer (ours). decline: the open question · withdraw: what was given, with all that was made
 * with the voice · review: asks operators to listen to the latest recording, which was unclear.
 */
export const consentAnswerRequest = z.object({ token: token(), answer: z.enum(["decline", "withdraw", "review"]) });
