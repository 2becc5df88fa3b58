import { randomBytes } from "node:crypto";
import { wechatMethod as platform, type WechatState } from "../contract/checkout";
import type { VisitorSession } from "./accounts.server";
import { parseReturnPath } from "./json-route.server";
import { toRefusal } from "./refusal.server";

/** Where WeChat leads back to. */
const returnPath = "/bff/wechat";
const fallback = "/user/subscribe";

/** Throws UpstreamRefusal. */
export async function readWechatState(
  { upstream, session }: VisitorSession,
  siteUrl: string,
): Promise<{ state: WechatState }> {
  const { payer, isFailed } = session.values.wechat ?? {};
  if (payer) return { state: "ready" };
  if (!(await askWechat({ upstream }, { state: newState(), siteUrl }))) return { state: "off" };
  return { state: isFailed ? "failed" : "ask" };
}

/** The address that identifies the payer; it leads back with the state, which this session alone holds. */
export async function startWechat({ upstream, session }: VisitorSession, { from, siteUrl }: WechatStart) {
  const state = newState();
  const path = parseReturnPath(from, siteUrl);
  const url = await askWechat({ upstream }, { state, siteUrl });
  if (!url) return path;
  session.remember({ wechat: { state, from: path } });
  return url;
}

/** Stores the payer that WeChat's answer names; returns the page to go back to. */
export async function finishWechat({ upstream, session }: VisitorSession, query: URLSearchParams): Promise<string> {
  const { state, from = fallback } = session.values.wechat ?? {};
  if (!state || query.get("state") !== state) return fallback;
  const code = query.get("code");
  // Without a code the payer declined.
  const payer = code && (await upstream.call("payPayer", { platform, code }).catch(() => null))?.payer;
  session.remember({ wechat: payer ? { payer } : { isFailed: true } });
  return from;
}

interface WechatStart {
  from: string | null;
  siteUrl: string;
}

const newState = () => randomBytes(16).toString("hex");

async function askWechat(
  { upstream }: Pick<VisitorSession, "upstream">,
  { state, siteUrl }: { state: string; siteUrl: string },
): Promise<string> {
  try {
    const returnTo = new URL(returnPath, siteUrl).href;
    return (await upstream.call("payAuthorize", { platform, returnTo, state })).url;
  } catch (error) {
    if (toRefusal(error).code === "unsupported") return "";
    throw error;
  }
}
