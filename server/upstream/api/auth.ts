import type { Context } from "hono";
import { AppError } from "../errors";
import type { Owner } from "../voices/ports";
import { requireVisitor } from "./caller";

/** Who is calling: the account of a live token, else the visitor the BFF names. A dead token is an expired login. */
export interface Auth {
  /** Whose what is made is; throws login-expired for a dead token. */
  requireOwner(c: Context): Promise<Owner>;
  /** Who may be reading; null where nobody, or nobody who exists, was named. For what may be public. */
  findOwner(c: Context): Promise<Owner | null>;
  /** The account's id; throws login-expired without one. */
  requireAccount(c: Context): Promise<string>;
  /** Null for visitors; throws login-expired for a dead token. */
  findAccount(c: Context): Promise<string | null>;
  /** The account of a live token; null for visitors and dead tokens. One look-up in a request. */
  findCaller(c: Context): Promise<string | null>;
}

export const tokenOf = (c: Context): string => c.req.header("token") ?? "";

/** `find` answers the account a token is good for. */
export function createAuth(find: (token: string) => Promise<string | null>): Auth {
  const found = new WeakMap<Context, Promise<string | null>>();
  const findCaller = (c: Context) => {
    const token = tokenOf(c);
    const account = found.get(c) ?? (token === "" ? Promise.resolve(null) : find(token));
    found.set(c, account);
    return account;
  };
  const requireAccount = async (c: Context) => {
    const account = await findCaller(c);
    if (account === null) throw new AppError("login-expired", "no account has this token");
    return account;
  };
  return {
    findCaller,
    requireAccount,
    findAccount: async (c) => (tokenOf(c) === "" ? null : requireAccount(c)),
    requireOwner: async (c) =>
      tokenOf(c) === "" ? `visitor:${requireVisitor(c)}` : `account:${await requireAccount(c)}`,
    async findOwner(c) {
      const token = tokenOf(c);
      if (token === "") return toVisitor(c.req.header("x-visitor-id"));
      const account = await find(token);
      return account === null ? null : `account:${account}`;
    },
  };
}

const toVisitor = (id: string | undefined): Owner | null => (id ? `visitor:${id}` : null);
