import { setTimeout as sleep } from "node:timers/promises";
import { bffPaths } from "~/call";

export interface SiteMember {
  cookie: string;
  /** Sends JSON as the member's page does; throws unless it succeeds. */
  post<Answer>(path: string, body: object): Promise<Answer>;
}

const paidWithinMs = 15_000;

/** Logs a new account in at the site and buys a month of the highest tier at the sandbox gateway. */
export async function createSiteMember(url: string, phone: string): Promise<SiteMember> {
  const cookies = new Map<string, string>();
  const cookieHeader = () => [...cookies].map((pair) => pair.join("=")).join("; ");
  const send = async (path: string, init: RequestInit) => {
    const headers = { origin: url, cookie: cookieHeader(), ...init.headers };
    const answer = await fetch(url + path, { ...init, headers, redirect: "manual" });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    if (answer.status >= 400) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return answer;
  };
  const post = async <Answer>(path: string, body: object): Promise<Answer> => {
    const headers = { "content-type": "application/json", "idempotency-key": crypto.randomUUID() };
    return (await send(path, { method: "POST", headers, body: JSON.stringify(body) })).json() as Promise<Answer>;
  };
  const sent = await post<{ demoCode: string }>(bffPaths.passed("captcha"), { phone });
  await post(bffPaths.session, { phone, verifyCode: sent.demoCode });
  const choice = { pCode: "svip-month", platform: 1, isPhone: false };
  const { order } = await post<{ order: { cashierPath: string } }>(bffPaths.orders, choice);
  await send(`${order.cashierPath}.data`, { method: "POST", body: new URLSearchParams({ lever: "pay" }) });
  for (const deadline = Date.now() + paidWithinMs; Date.now() < deadline; await sleep(100)) {
    const { user } = (await (await send(bffPaths.account, {})).json()) as { user: { svipExpire: number } };
    if (user.svipExpire > 0)
      return {
        get cookie() {
          return cookieHeader();
        },
        post,
      };
  }
  throw new Error("the payment was not recorded");
}
