import type { MiddlewareHandler } from "hono";
import { AppError } from "../errors";
import { addressOf } from "./caller";

/** Counts one hit; false when there were too many. */
export type Allow = (key: string, rule: { limit: number; windowSeconds: number }) => Promise<boolean>;

/** Far above what a person does, below what a program tries. */
const rule = { limit: 120, windowSeconds: 600 };

/** Bounds how often one address may create things. */
export function createRateGuard(allow: Allow): MiddlewareHandler {
  return async (c, next) => {
    if (!(await allow(`create:${addressOf(c)}`, rule))) {
      throw new AppError("too-many", "address creates too often", { status: 429 });
    }
    await next();
  };
}
