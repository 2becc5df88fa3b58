import md5 from "md5";
import type { CallName } from "../contract/calls/table";
import { textOf } from "./json.server";

const signedField: Partial<Record<CallName, string>> = { orderCreate: "pCode", payResult: "orderId" };

/** The payment calls carry `sign`: the MD5 of the package's code, or of the order's id (specification section 7). */
export function signed(name: CallName, input: Record<string, unknown>): Record<string, unknown> {
  const field = signedField[name];
  return field ? { ...input, sign: md5(textOf(input[field])) } : input;
}
