import { z } from "zod/v4";
import type { CallName } from "~server/contract/calls/table";

const id = z.union([z.string().min(1), z.number()], "expected a text or a number");
const seconds = z.number().int().max(1e11, "milliseconds instead of seconds");
const listOf = (row: z.ZodType) => z.object({ list: z.array(row), total: z.number().int() });
const role = z.object({ roleId: id, name: z.string() });

/**
 * The exact forms of the specification and of the contract. The site reads more, so a misfit is a "should": see
 * server/contract/calls/foreign.ts.
 */
export const exactForms: Partial<Record<CallName, z.ZodType>> = {
  login: z.object({ token: z.string().min(1) }),
  userInfo: z.object({
    ...{ vipExpire: seconds, svipExpire: seconds, isMonthly: z.boolean(), phone: z.string(), tryNum: z.number().int() },
  }),
  products: z.array(
    z.object({
      ...{ pCount: id, pCode: id, tagMark: z.string(), discountMark: z.string(), cornerMark: z.string() },
      ...{ price: z.number().int(), packageType: z.literal([1, 2, 3]), usedChar: z.number() },
    }),
  ),
  orderCreate: z.object({ orderId: id, url: z.string().min(1) }),
  payResult: z.object({ result: z.enum(["success", "waiting", "closed", "refunded"]) }),
  roleList: listOf(role),
  squareList: listOf(role),
  squareHome: z.array(role),
  cloneList: listOf(z.object({ voiceId: id, content: z.string() })),
  dubList: listOf(z.object({ dubbId: id })),
};

/** `price: expected number`: which fields differ from the exact form; null if none does. */
export function findInexact(call: CallName, data: unknown): string | null {
  const read = exactForms[call]?.safeParse(data);
  return read && !read.success ? describeIssues(read.error) : null;
}

/** The first issue of each field, without rows' numbers. */
export function describeIssues({ issues }: Pick<z.ZodError, "issues">): string {
  const named = issues.map(({ path, message }): [string, string] => [
    path.filter((part) => typeof part === "string").join(".") || "data",
    message.replace("Invalid input: ", ""),
  ]);
  return [...new Map(named.reverse())]
    .reverse()
    .map(([name, message]) => `${name}: ${message}`)
    .join("; ");
}

/** The names of a record's fields, for an author who looks for the wrong one. */
export const fieldsOf = (data: unknown): string =>
  typeof data === "object" && data !== null ? Object.keys(data).slice(0, 20).join(", ") || "none" : String(data);
