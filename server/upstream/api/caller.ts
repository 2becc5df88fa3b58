import type { Context } from "hono";
import { AppError } from "../errors";

/**
 * The network address trials and rates are counted by, as the host resolved it: this app is called within its process
 * alone, by the BFF and by the HTTP host, and both overwrite whatever `x-forwarded-for` came from outside.
 */
export function addressOf(c: Context): string {
  const address = c.req.header("x-forwarded-for")?.trim() ?? "";
  return /^[\da-f.:]{2,45}$/i.test(address) ? address : "unknown";
}

const visitorId = /^[\w-]{8,100}$/;

/** The visitor the BFF names; throws where it named none. */
export function requireVisitor(c: Context): string {
  const id = c.req.header("x-visitor-id") ?? "";
  if (!visitorId.test(id)) throw new AppError("bad-request", "x-visitor-id is missing or malformed", { status: 400 });
  return id;
}

/** The visitor the caller was; undefined where none was named, or not in the BFF's way. */
export function findVisitor(c: Context): string | undefined {
  const id = c.req.header("x-visitor-id") ?? "";
  return visitorId.test(id) ? id : undefined;
}

/** Names one wish of the caller over its repeats; undefined where it sent none. */
export function idempotencyKeyOf(c: Context): string | undefined {
  const key = c.req.header("idempotency-key");
  if (key === undefined || key === "") return undefined;
  if (key.length > 200) throw new AppError("bad-request", "idempotency-key is too long", { status: 400 });
  return key;
}
