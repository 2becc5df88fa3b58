import type { Refusal } from "~server/bff/refusal.server";

/** What the site answers when a call could not go on. */
export class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.code);
  }
}

/** The trial ran and failed: it is given back. */
export class TrialFailed extends Refused {}
