import { scrypt } from "node:crypto";
import { promisify } from "node:util";
import type { CallData } from "../contract/calls/table";
import { charactersFree, charactersSvip, charactersVip, trialMax } from "../contract/limits";
import { endsLogin, toRefusal, UpstreamRefusal } from "./refusal.server";
import type { Session } from "./session.server";
import type { CallInput, Upstream } from "./upstream.server";

/** The account; expiries are Unix seconds. */
export type User = CallData<"userInfo">;

/** A visitor's request: the upstream on behalf of the visitor, and the session. */
export interface VisitorSession {
  upstream: Upstream;
  session: Session;
}

const users = new WeakMap<Session, Promise<User | null>>();

/** The session's account, read once per request; null for visitors. Throws UpstreamRefusal. */
export function readUser({ upstream, session }: VisitorSession): Promise<User | null> {
  if (!session.values.token) return Promise.resolve(null);
  const cached = users.get(session);
  if (cached) return cached;
  const reading = upstream.call("userInfo", {});
  users.set(session, reading);
  return reading;
}

/** Keeps the code of the referring account until the visitor's login. */
export function rememberReferral(session: Session, query: URLSearchParams): void {
  const code = query.get("ref") ?? "";
  if (/^[a-z0-9]{4,32}$/i.test(code) && !session.values.token) session.remember({ referral: code });
}

/** The account's link for others; null without a login, where there are no referrals, and on a failure. */
export async function readReferral({ upstream, session }: VisitorSession): Promise<Referral | null> {
  if (!session.values.token) return null;
  const referral = await upstream.call("referral", {}).catch(() => null);
  return referral?.code ? referral : null;
}

export type Referral = CallData<"referral">;

/** Trials used and allowed: the account's count, or the visitor's in the cookie. */
export async function readTrialCount(visit: VisitorSession): Promise<{ used: number; max: number }> {
  // The root loader reports a failure.
  const user = await readUser(visit).catch(() => null);
  if (user) return { used: user.tryNum, max: user.tryMax };
  return { used: visit.session.values.trialsUsed, max: trialMax };
}

/** Stores the token in the session under a new id and revokes the login it replaces. */
export async function logIn({ upstream, session }: VisitorSession, input: CallInput<"login">) {
  const { referral } = session.values;
  const { token } = await upstream.call("login", { ...input, ...(referral && { referral }) });
  if (referral) session.remember({ referral: undefined });
  if (session.values.token !== token) await session.revoke();
  session.logIn(token, await ownerKeyOf(input.phone));
}

const hash = promisify<string, string, number, { cost: number }, Buffer>(scrypt);

/**
 * The account's key for what its pages save in the browser: the same at every login, also with another session secret.
 * Slow to compute, because the phones are few enough to try; about 10 ms off the main thread.
 */
const ownerKeyOf = async (phone: string) =>
  (await hash(phone.trim(), "saved in the browser", 12, { cost: 2 ** 12 })).toString("base64url");

/** Whose data a page shows: an account's key, "" for a login from before there were keys, null for a visitor. */
export const ownerOf = ({ values: { token, owner } }: Session): string | null => (token ? (owner ?? "") : null);

/** Ends the session; if the upstream cannot be reached, its token is revoked as soon as it can. */
export async function logOut({ upstream, session }: VisitorSession): Promise<void> {
  if (session.values.token && !(await endToken(upstream))) await session.revoke();
  session.logOut();
}

/**
 * Logs out the token of `upstream`; false if the call must be repeated later. An upstream that confirms every logout, and
 * still takes the token, is not believed.
 */
export async function endToken(upstream: Upstream): Promise<boolean> {
  try {
    await upstream.call("logout", {});
    await upstream.call("userInfo", {});
    return false;
  } catch (error) {
    return endsLogin(toRefusal(error));
  }
}

export type DeletionReceipt = CallData<"userDelete">;

/** Deletes the account with all its data and ends the session. Throws UpstreamRefusal `code-wrong`. */
export async function removeAccount(
  { upstream, session }: VisitorSession,
  verifyCode: unknown,
): Promise<DeletionReceipt> {
  const receipt = await upstream.call("userDelete", { verifyCode: String(verifyCode) });
  session.logOut();
  return receipt;
}

/** What the account can still generate. `left`: characters, or trials without a tier; null if unknown. */
export interface Allowance extends Omit<CallData<"allowance">, "left"> {
  left: number | null;
}

/** Null for visitors and if the upstream fails. Throws only if the login has expired. */
export async function readAllowance(upstream: Upstream, session: Session): Promise<Allowance | null> {
  if (!session.values.token) return null;
  const unlessExpired = (error: unknown) => {
    if (error instanceof UpstreamRefusal && endsLogin(error.refusal)) throw error;
    return null;
  };
  // The page reads the account anyway; only an upstream that counts no characters there is asked again.
  const user = await readUser({ upstream, session }).catch(unlessExpired);
  const known = user && toAllowance(user, Date.now() / 1000);
  if (known && known.left !== null) return known;
  return (await upstream.call("allowance", {}).catch(unlessExpired)) ?? known;
}

const limits = { svip: charactersSvip, vip: charactersVip };

/** The tier and its limits by user info (specification sections 4 and 6). `now` in Unix seconds. */
export function toAllowance({ vipExpire, svipExpire, quota, tryMax, tryNum }: User, now: number): Allowance {
  const tier = svipExpire > now ? "svip" : vipExpire > now ? "vip" : null;
  const inPacks = quota?.pack.left ?? 0;
  if (tier) return { tier, limit: limits[tier], left: quota && quota[tier].left + inPacks };
  // A pack outlives its tier.
  if (inPacks > 0) return { tier: "vip", limit: limits.vip, left: inPacks };
  return { tier, limit: charactersFree, left: Math.max(0, tryMax - tryNum) };
}
