import type { TrialCreated, TrialCreateRequest, TrialResult } from "../contract/calls/trials";
import { trialMax } from "../contract/limits";
import { readUser, type VisitorSession } from "./accounts.server";
import { failureOf, type Refusal, toRefusal, UpstreamRefusal } from "./refusal.server";
import type { Upstream } from "./upstream.server";

/** The state of a trial. Its URLs are the upstream's: show them through /bff/media. */
export interface TrialProgress extends Omit<TrialResult, "status" | "duration" | "msg" | "reason"> {
  state: "running" | "done" | "failed";
  durationMs: number;
  /** Reason of the failure. Not `refusal`, which an answer has when the call itself was refused. */
  failure: Refusal | null;
}

/** Replaces the task id if the upstream names none: its result is requested without an id. */
const unnamedTaskId = "newest";

/**
 * Starts a trial. A visitor's is counted in the cookie too, for upstreams that count none; an account has its own count
 * upstream.
 */
export async function createTrial(
  { upstream, session }: VisitorSession,
  input: TrialCreateRequest,
  idempotencyKey?: string,
): Promise<TrialCreated> {
  const { trialsUsed, countsTrials, token } = session.values;
  if (countsTrials && !token && trialsUsed >= trialMax) throw new UpstreamRefusal(usedUp);
  try {
    const trial = await upstream.call("trialCreate", { reuse: true, ...input }, idempotencyKey);
    const taskId = trial.taskId || unnamedTaskId;
    const isSilent = trial.tryNum === 0;
    if (token) {
      const user = isSilent ? await readUser({ upstream, session }).catch(() => null) : null;
      return { ...trial, taskId, tryNum: user?.tryNum ?? trial.tryNum };
    }
    session.countTrials(isSilent ? trialsUsed + 1 : trial.tryNum, { isOwnCount: isSilent });
    return { ...trial, taskId, tryNum: session.values.trialsUsed };
  } catch (error) {
    const { code, data } = toRefusal(error);
    if (code === "entitlement" && data?.reason === "trial" && !token) session.countTrials(trialMax);
    throw error;
  }
}

const usedUp: Refusal = { code: "entitlement", data: { reason: "trial", left: 0, limit: trialMax } };

export async function readTrial(upstream: Upstream, taskId: string): Promise<TrialProgress> {
  const result = await upstream.call("trialResult", taskId === unnamedTaskId ? {} : { taskId });
  return toProgress({ ...result, taskId });
}

function toProgress({ status, duration, msg, reason, ...result }: TrialResult): TrialProgress {
  return {
    ...result,
    state: status === 1 ? "running" : status === 2 ? "done" : "failed",
    progress: status === 2 ? 1 : result.progress,
    durationMs: Math.round(duration * 1000),
    failure: status === 3 ? failureOf(reason, msg) : null,
  };
}
