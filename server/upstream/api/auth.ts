import { randomUUID } from "node:crypto";
import type { Context } from "hono";
import { type CallData, calls, keyCalls, openAiCalls } from "~server/contract/calls/table";
import type { ApiKeys } from "../accounts/api-keys";
import { AppError } from "../errors";
import { type Owner, ownerOf } from "../owner";

/**
 * The caller: the account of a valid token or key, else the visitor that the BFF names. An invalid one is an expired login;
 * a key outside `keyCalls` is forbidden.
 */
export type Auth = ReturnType<typeof createAuth>;

interface Account {
  id: string;
  info?: CallData<"userInfo">;
  apiKeyId?: string;
}
export type FindUser = (token: string) => Promise<(Account & Required<Pick<Account, "info">>) | null>;

const userInfoPath = `/api/v1${calls.userInfo.path}`;

export const tokenOf = (c: Context): string => c.req.header("token") ?? "";

/** The key of a program: `Authorization: Bearer sk-…`; "" without one. */
export const apiKeyOf = (c: Context): string =>
  /^Bearer (sk-[\w-]{20,100})$/i.exec(c.req.header("authorization") ?? "")?.[1] ?? "";
const openAiPaths = new Set([...openAiCalls].map((name) => `/api/v1${calls[name].path}`));

/** The site, which sends its appid, reads the envelope when it has recordings written down. */
export const isOpenAiCall = (c: Context): boolean =>
  openAiPaths.has(c.req.path) &&
  (!c.req.path.endsWith(calls.transcribe.path) ||
    c.req.header("appid") === undefined ||
    c.req.header("authorization") !== undefined);

/** Whether a program sends a key, of whatever form. */
const hasBearer = (c: Context): boolean => tokenOf(c) === "" && /^Bearer\b/i.test(c.req.header("authorization") ?? "");
export const isProgram = (c: Context): boolean => tokenOf(c) === "" && (hasBearer(c) || isOpenAiCall(c));

/** The refusal of a caller without an account. Programs read the status and the message. */
export function toAccountMissing(c: Context): AppError {
  if (!isProgram(c)) return new AppError("login-expired", "no account has this token");
  const message = hasBearer(c) ? "this key does not exist or was revoked" : "send Authorization: Bearer sk-…";
  return new AppError("login-expired", message, { status: 401 });
}

const credentialOf = (c: Context): string => tokenOf(c) || apiKeyOf(c);

const keyRoutes = new Set([...keyCalls].map((name) => `${calls[name].method} /api/v1${calls[name].path}`));
/** Whether the caller acts with a key. Throws forbidden where keys do not act. */
function actsByKey(c: Context): boolean {
  if (tokenOf(c) !== "" || apiKeyOf(c) === "") return false;
  const method = c.req.method === "HEAD" ? "GET" : c.req.method;
  if (keyRoutes.has(`${method} ${c.req.path}`) || c.req.path.startsWith("/api/v1/files/")) return true;
  throw new AppError("forbidden", "not with a key", { status: 403 });
}

/**
 * `find` returns the account of a valid token, `findUser` its user info as well: the call for that, which every page of a
 * member makes, is one statement instead of two.
 */
export function createAuth(
  find: (token: string) => Promise<string | null>,
  findUser?: FindUser,
  apiKeys?: Pick<ApiKeys, "find">,
) {
  const found = new WeakMap<Context, Promise<Account | null>>();
  const running = new Map<string, Promise<Account | null>>();
  const findPlain = async (token: string): Promise<Account | null> => {
    const id = await find(token);
    return id === null ? null : { id };
  };
  const findByKey = async (c: Context, secret: string): Promise<Account | null> => {
    const key = await apiKeys?.find(secret, c.req.method === "POST");
    return key ? { id: key.accountId, apiKeyId: key.id } : null;
  };
  /** The calls of one page come together, under one request id: they share the look-up while it runs. */
  const lookUp = (c: Context, token: string) => {
    const key = `${c.req.header("x-request-id") ?? randomUUID()} ${token}`;
    const search = actsByKey(c)
      ? (secret: string) => findByKey(c, secret)
      : c.req.path === userInfoPath && findUser
        ? findUser
        : findPlain;
    const account = running.get(key) ?? search(token).finally(() => running.delete(key));
    running.set(key, account);
    return account;
  };
  const findOnce = (c: Context) => {
    const token = credentialOf(c);
    const account = found.get(c) ?? (token === "" ? Promise.resolve(null) : lookUp(c, token));
    found.set(c, account);
    return account;
  };
  const findCaller = async (c: Context) => (await findOnce(c))?.id ?? null;
  const requireAccount = async (c: Context) => {
    const account = await findCaller(c);
    if (account === null) throw toAccountMissing(c);
    return account;
  };
  return {
    /** The account of a valid token; null for visitors and invalid tokens. Looked up once per request. */
    findCaller,
    /** What was read about the caller's account with its token; undefined if the token alone was looked up. */
    findInfo: async (c: Context): Promise<CallData<"userInfo"> | undefined> => (await findOnce(c))?.info,
    /** The account's id; throws login-expired without one. */
    requireAccount,
    /** The id of the key that acts for the caller's account; undefined for logins and visitors. */
    findApiKeyId: async (c: Context) => (apiKeyOf(c) === "" ? undefined : (await findOnce(c))?.apiKeyId),
    /** The account's id, null for visitors; throws login-expired for an invalid token. */
    findAccount: async (c: Context): Promise<string | null> => (credentialOf(c) === "" ? null : requireAccount(c)),
    /** The owner of what the call creates; throws login-expired for an invalid token. */
    requireOwner: async (c: Context): Promise<Owner> =>
      credentialOf(c) === "" ? `visitor:${requireVisitor(c)}` : ownerOf(await requireAccount(c)),
    /** For files that may be public: null without a valid account or visitor. */
    async findOwner(c: Context): Promise<Owner | null> {
      if (credentialOf(c) === "") return toVisitor(c.req.header("x-visitor-id"));
      const account = actsByKey(c) ? await findCaller(c) : await find(tokenOf(c));
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
