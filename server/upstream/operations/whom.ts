import { type Input, UsageError } from "./command";
import { parseId, parsePhone } from "./parse";
import type { Whom } from "./people";

/** `--account` or `--phone`, one of the two at most. */
export function readWhom({ values: { account, phone } }: Input): Whom | undefined {
  if (account !== undefined && phone !== undefined) throw new UsageError("either --account or --phone, not both");
  if (account !== undefined) return { accountId: parseId(account, "an account's id") };
  return phone === undefined ? undefined : { phone: parsePhone(phone) };
}

export function requireWhom(input: Input): Whom {
  const whom = readWhom(input);
  if (!whom) throw new UsageError("whose? --account or --phone is missing");
  return whom;
}
