import type { CallData } from "../contract/calls/table";
import { UpstreamRefusal } from "./refusal.server";
import type { Session } from "./session.server";
import type { Upstream } from "./upstream.server";

/** What the account may generate now. `left`: characters of the month, or trials where there is no tier. */
export type Allowance = CallData<"allowance">;

/** null for visitors, and where the upstream cannot say. Throws only when the login is over. */
export async function readAllowance(upstream: Upstream, session: Session): Promise<Allowance | null> {
  if (!session.values.token) return null;
  return upstream.call("allowance", {}).catch((error: unknown) => {
    if (error instanceof UpstreamRefusal && error.refusal.code === "login-expired") throw error;
    return null;
  });
}

/** Stops a task and gives back what it holds, or runs a failed one again. Throws UpstreamRefusal. */
export async function changeTask(upstream: Upstream, { taskId, act }: { taskId?: unknown; act?: unknown }) {
  const call = act === "cancel" ? "taskCancel" : act === "retry" ? "taskRetry" : null;
  if (!call || typeof taskId !== "string") throw new UpstreamRefusal({ code: "bad-request" });
  await upstream.call(call, { taskId });
}
