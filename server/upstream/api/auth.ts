import { randomUUID } from "node:crypto";
import type { Context } from "hono";
import { type CallData, calls } from "~server/contract/calls/table";
import { AppError } from "../errors";
import { type Owner, ownerOf } from "../owner";

/** The caller: the account of a valid token, else the visitor that the BFF names. An invalid token is an expired login. */
export interface Auth {
  /** The owner of what the call creates; throws login-expired for an invalid token. */
  requireOwner(c: Context): Promise<Owner>;
  /** For files that may be public: null without a valid account or visitor. */
  findOwner(c: Context): Promise<Owner | null>;
  /** The account's id; throws login-expired without one. */
  requireAccount(c: Context): Promise<string>;
  /** The account's id, null for visitors; throws login-expired for an invalid token. */
  findAccount(c: Context): Promise<string | null>;
  /** The account of a valid token; null for visitors and invalid tokens. Looked up once per request. */
  findCaller(c: Context): Promise<string | null>;
  /** What was read about the caller's account with its token; undefined if the token alone was looked up. */
  findInfo(c: Context): Promise<CallData<"userInfo"> | undefined>;
}

interface Account {
  id: string;
  info?: CallData<"userInfo">;
}
export type FindUser = (token: string) => Promise<Required<Account> | null>;

const userInfoPath = `/api/v1${calls.userInfo.path}`;

export const tokenOf = (c: Context): string => c.req.header("token") ?? "";

/**
 * `find` returns the account of a valid token, `findUser` its user info as well: the call for that, which every page of a
 * member makes, is one statement instead of two.
 */
export function createAuth(find: (token: string) => Promise<string | null>, findUser?: FindUser): Auth {
  const found = new WeakMap<Context, Promise<Account | null>>();
  const running = new Map<string, Promise<Account | null>>();
  const findPlain = async (token: string): Promise<Account | null> => {
    const id = await find(token);
    return id === null ? null : { id };
  };
  /** The calls of one page come together, under one request id: they share the look-up while it runs. */
  const lookUp = (c: Context, token: string) => {
    const key = `${c.req.header("x-request-id") ?? randomUUID()} ${token}`;
    const search = c.req.path === userInfoPath && findUser ? findUser : findPlain;
    const account = running.get(key) ?? search(token).finally(() => running.delete(key));
    running.set(key, account);
    return account;
  };
  const findOnce = (c: Context) => {
    const token = tokenOf(c);
    const account = found.get(c) ?? (token === "" ? Promise.resolve(null) : lookUp(c, token));
    found.set(c, account);
    return account;
  };
  const findCaller = async (c: Context) => (await findOnce(c))?.id ?? null;
  const requireAccount = async (c: Context) => {
    const account = await findCaller(c);
    if (account === null) throw new AppError("login-expired", "no account has this token");
    return account;
  };
  return {
    findCaller,
    findInfo: async (c) => (await findOnce(c))?.info,
    requireAccount,
    findAccount: async (c) => (tokenOf(c) === "" ? null : requireAccount(c)),
    requireOwner: async (c) => (tokenOf(c) === "" ? `visitor:${requireVisitor(c)}` : ownerOf(await requireAccount(c))),
    async findOwner(c) {
      const token = tokenOf(c);
      if (token === "") return toVisitor(c.req.header("x-visitor-id"));
      const account = await find(token);
      return account === null ? null : ownerOf(account);
    },
  };
}

const toVisitor = (id: string | undefined): Owner | null => (id ? `visitor:${id}` : null);

/**
 * The network address for trials and rate limits. Trusted: only the BFF and the HTTP host call this app, in its process,
 * and both overwrite the `x-forwarded-for` of the request.
 */
export function addressOf(c: Context): string {
  const address = c.req.header("x-forwarded-for")?.trim() ?? "";
  return /^[\da-f.:]{2,45}$/i.test(address) ? address : "unknown";
}

const visitorId = /^[\w-]{8,100}$/;

/** The visitor that the BFF names; throws bad-request without one. */
function requireVisitor(c: Context): string {
  const id = findVisitor(c);
  if (!id) throw new AppError("bad-request", "x-visitor-id is missing or malformed", { status: 400 });
  return id;
}

/** The visitor that the BFF names; undefined for a missing or malformed id. */
export function findVisitor(c: Context): string | undefined {
  const id = c.req.header("x-visitor-id") ?? "";
  return visitorId.test(id) ? id : undefined;
}

/** Undefined where the caller sent none. Throws bad-request for one that is too long. */
export function idempotencyKeyOf(c: Context): string | undefined {
  const key = c.req.header("idempotency-key");
  if (key === undefined || key === "") return undefined;
  if (key.length > 200) throw new AppError("bad-request", "idempotency-key is too long", { status: 400 });
  return key;
}
