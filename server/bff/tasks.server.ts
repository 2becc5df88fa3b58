import type { CallData } from "../contract/calls/table";
import { charactersFree, charactersSvip, charactersVip } from "../contract/limits";
import { readUser, type User } from "./accounts.server";
import { UpstreamRefusal } from "./refusal.server";
import type { Session } from "./session.server";
import type { Upstream } from "./upstream.server";

/** What the account may generate now. `left`: characters of the month, null where the upstream does not say; trials without a tier. */
export interface Allowance extends Omit<CallData<"allowance">, "left"> {
  left: number | null;
}

/** null for visitors, and where the upstream cannot say. Throws only when the login is over. */
export async function readAllowance(upstream: Upstream, session: Session): Promise<Allowance | null> {
  if (!session.values.token) return null;
  const unlessExpired = (error: unknown) => {
    if (error instanceof UpstreamRefusal && error.refusal.code === "login-expired") throw error;
    return null;
  };
  const told = await upstream.call("allowance", {}).catch(unlessExpired);
  if (told) return told;
  const user = await readUser({ upstream, session }).catch(unlessExpired);
  return user && allowanceOf(user, Date.now() / 1000);
}

const limits = { svip: charactersSvip, vip: charactersVip };

/** The tier and its limits as user info tells them (specification sections 4 and 6). `now` is in Unix seconds. */
export function allowanceOf({ vipExpire, svipExpire, quota, tryMax, tryNum }: User, now: number): Allowance {
  const tier = svipExpire > now ? "svip" : vipExpire > now ? "vip" : null;
  if (!tier) return { tier, limit: charactersFree, left: Math.max(0, tryMax - tryNum) };
  return { tier, limit: limits[tier], left: quota && quota[tier].left + quota.pack.left };
}

/** Stops a task and gives back what it holds, or runs a failed one again. Throws UpstreamRefusal. */
export async function changeTask(upstream: Upstream, { taskId, act }: { taskId?: unknown; act?: unknown }) {
  const call = act === "cancel" ? "taskCancel" : act === "retry" ? "taskRetry" : null;
  if (!call || typeof taskId !== "string") throw new UpstreamRefusal({ code: "bad-request" });
  await upstream.call(call, { taskId });
}
