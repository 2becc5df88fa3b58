import { z } from "zod/v4";
import { platform } from "./pay";
import { id, numberOr, text } from "./tolerant";

/** Ours, demo mode only: the sandbox gateway's cashier. `id` is the last part of a sandbox payment link. */
export const cashierQuery = z.object({ id: id() });

export const cashierLevers = ["pay", "fail", "late", "duplicate", "tamper", "double"] as const;
export const cashierRequest = z.object({ id: id(), lever: z.enum(cashierLevers) });

export const cashierView = z.object({
  id: id(),
  subject: text(),
  /** Fen. */
  price: numberOr(0),
  platform: platform(),
  state: z.enum(["open", "paid", "closed", "refunded"]).catch("closed"),
  /** Unix seconds. */
  expireAt: numberOr(0),
});
