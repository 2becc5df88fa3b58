import type { CallData } from "../contract/calls/table";
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
  const { resend, demoCode } = await upstream.call("captcha", { phone: String(phone) });
  return { resend, demoCode };
}

/** Puts the token into the session, under a new id. The browser never sees it. */
export async function logIn({ upstream, session }: Visit, input: { phone: unknown; verifyCode: unknown }) {
  const { token } = await upstream.call("login", {
    phone: String(input.phone),
    verifyCode: String(input.verifyCode),
  });
  session.logIn(token);
}

/** The session ends here whatever the upstream says; there the token dies too, if it can be reached. */
export async function logOut({ upstream, session }: Visit): Promise<void> {
  try {
    if (session.values.token) await upstream.call("logout", {});
  } catch {
  } finally {
    session.logOut();
  }
}

/** The account and all in it is gone when this answers, and the session with it. */
export async function removeAccount({ upstream, session }: Visit): Promise<{ receiptId: string }> {
  const { receiptId } = await upstream.call("userDelete", {});
  session.logOut();
  return { receiptId };
}
