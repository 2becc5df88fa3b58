import { Hono } from "hono";
import { type CallName, calls } from "~server/contract/calls/table";
import { answer } from "./envelope";

export interface CapabilityRouteParts {
  /** "embedded" where the built-in engine alone speaks, "other" otherwise. */
  engine: "embedded" | "other";
  /** Whether there is a sandbox gateway. */
  hasCashier: boolean;
}

/** GET /capabilities: the extensions of this upstream. It answers every call of the table but the cashier's without a sandbox. */
export function createCapabilityRoutes({ engine, hasCashier }: CapabilityRouteParts) {
  const sandboxCalls: CallName[] = ["cashier", "cashierPull"];
  const offered = (Object.keys(calls) as CallName[]).filter(
    (name) => calls[name].confidence === "O" && (hasCashier || !sandboxCalls.includes(name)),
  );
  return new Hono().get("/capabilities", (c) => answer(c, { calls: offered, engine, isLabelled: true }));
}
