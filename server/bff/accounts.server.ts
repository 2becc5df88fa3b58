import type { CallData } from "../contract/calls/table";
import { textOf } from "./json.server";
import { toRefusal } from "./refusal.server";
import type { Session } from "./session.server";
import type { Upstream } from "./upstream.server";

/** Who is logged in, as the upstream says; expiries are Unix seconds. */
export type User = CallData<"userInfo">;

interface Visit {
  upstream: Upstream;
  session: Session;
}

const read = new WeakMap<Session, Promise<User | null>>();

/** The account behind the session, asked for once in a request; null for visitors. Throws UpstreamRefusal. */
export function readUser({ upstream, session }: Visit): Promise<User | null> {
  if (!session.values.token) return Promise.resolve(null);
  const known = read.get(session);
  if (known) return known;
  const asked = upstream.call("userInfo", {}).then((user) => {
    if (user.tryNum !== session.values.trialsUsed) session.countTrials(user.tryNum);
    return user;
  });
  read.set(session, asked);
  return asked;
}

export interface SentCode {
  /** Seconds until another may be asked for. */
  resend: number;
  /** The code itself; demo mode only. */
  demoCode?: string | undefined;
}

export async function sendCode({ upstream }: Visit, phone: unknown): Promise<SentCode> {
  const { resend, demoCode } = await upstream.call("captcha", { phone: textOf(phone) });
  return { resend, demoCode };
}

/** Puts the token into the session, under a new id, and ends the login it replaces. The browser never sees it. */
export async function logIn({ upstream, session }: Visit, input: { phone: unknown; verifyCode: unknown }) {
  const { token } = await upstream.call("login", {
    phone: textOf(input.phone),
    verifyCode: textOf(input.verifyCode),
  });
  if (session.values.token !== token) await session.revoke();
  session.logIn(token);
}

/** The session ends here whatever the upstream says; there the token dies now, or as soon as it can be reached. */
export async function logOut({ upstream, session }: Visit): Promise<void> {
  if (session.values.token && !(await endToken(upstream))) await session.revoke();
  session.logOut();
}

/** Logs out the token that `upstream` calls with; false where that is to be tried again. */
export async function endToken(upstream: Upstream): Promise<boolean> {
  try {
    await upstream.call("logout", {});
    return true;
  } catch (error) {
    return toRefusal(error).code === "login-expired";
  }
}

/** Sends a code to the phone of the session's account. */
export async function sendDeletionCode({ upstream }: Visit): Promise<SentCode> {
  const { resend, demoCode } = await upstream.call("userDeleteCode", {});
  return { resend, demoCode };
}

/** When and what a deletion removed. */
export type DeletionReceipt = CallData<"userDelete">;

/** Deletes the account and all in it, and ends the session. Throws UpstreamRefusal code-wrong. */
export async function removeAccount({ upstream, session }: Visit, verifyCode: unknown): Promise<DeletionReceipt> {
  const receipt = await upstream.call("userDelete", { verifyCode: String(verifyCode) });
  session.logOut();
  return receipt;
}
