import type { Context } from "hono";
import type { Visit } from "./visit";

/** Aborts when the visitor is gone before the answer ended. The request's own signal would make a Request of it. */
export function departure(c: Context<Visit>): AbortSignal {
  const { outgoing } = c.env ?? {};
  if (!outgoing) return c.req.raw.signal;
  const controller = new AbortController();
  // To abort after each answer would cost more than it: an abort draws a stack.
  outgoing.once("close", () => outgoing.writableFinished || controller.abort());
  return controller.signal;
}
