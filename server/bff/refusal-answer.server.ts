import { redirect } from "@remix-run/node";
import { type Refusal, statusOf, toRefusal } from "./refusal.server";
import type { Session } from "./session.server";

/** A resource route's answer to whatever was thrown: `{refusal}` with its status. Code 5 ends the session. */
export function refusalAnswer(error: unknown, session: Session): Response {
  const refusal = toRefusal(error);
  if (refusal.code === "login-expired") session.logOut();
  return refuse(refusal);
}

export function refuse(refusal: Refusal): Response {
  const { retryAfterSeconds } = refusal;
  const headers = new Headers();
  if (retryAfterSeconds !== undefined) headers.set("retry-after", String(retryAfterSeconds));
  return Response.json({ refusal }, { status: statusOf(refusal), headers });
}

/** For a page's loader or action: code 5 ends the session and leads to the login page, everything else is the caller's. */
export function throwIfLoginExpired(error: unknown, session: Session, loginPath: string): void {
  if (toRefusal(error).code !== "login-expired") return;
  session.logOut();
  throw redirect(`${loginPath}?expired=1`);
}
