import type { Context } from "hono";
import { AppError } from "../errors";
import type { Owner } from "../voices/ports";
import { requireVisitor } from "./caller";

/** Who is calling. There are no accounts yet, so that no token can be a live one: every one reads as an expired login. */
export function requireOwner(c: Context): Owner {
  if (c.req.header("token")) requireAccount(c);
  return `visitor:${requireVisitor(c)}`;
}

/** Who may be calling; null where the caller named nobody, or nobody who exists. For what may be public. */
export function findOwner(c: Context): Owner | null {
  const id = c.req.header("x-visitor-id");
  return c.req.header("token") || !id ? null : `visitor:${id}`;
}

/** Throws: nobody can be logged in before accounts exist. */
export function requireAccount(_c: Context): never {
  throw new AppError("login-expired", "no account has this token");
}
