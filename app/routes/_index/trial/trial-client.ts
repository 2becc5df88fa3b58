import { bffPaths } from "~/bff-paths";
import type { Reference } from "~/features/reference/reference";
import { sendReference } from "~/features/reference/send-reference";
import { createWishKey } from "~/wish-key";
import type { Refusal } from "~server/bff/refusal.server";
import type { TrialProgress } from "~server/bff/trials.server";
import { type TrialCreateRequest } from "~server/contract/calls/trials";
import { Refused } from "./refused";

/** Sends a recording; answers where the upstream keeps it. Throws Refused. */
export async function uploadReference(reference: Reference, signal: AbortSignal): Promise<string> {
  const sent = await sendReference(reference, signal);
  if (!sent.ok) throw new Refused(sent.refusal);
  return sent.voicePath;
}

interface CreatedTrial {
  trial: { taskId: string; tryNum: number; tryMax: number };
}

/** A wish whose answer never came: asked again under the same key it starts nothing twice. */
const unanswered = createWishKey();

/** Starts a trial; an answer that gets lost is asked for once more by itself. Throws Refused. */
export async function createTrial(input: Partial<TrialCreateRequest>, signal: AbortSignal) {
  const body = JSON.stringify(input);
  const ask = (key: string) => {
    const headers = { "content-type": "application/json", "idempotency-key": key };
    return send<CreatedTrial>(bffPaths.trials, { method: "POST", headers, body, signal });
  };
  return (await unanswered.send(input, { ask, isLost })).trial;
}

const isLost = (error: unknown) => error instanceof Refused && error.refusal.code === "network";

const pollEveryMs = 1500;
const toleratedFailures = 5;

/** Follows a trial by events, and by asking again and again where events do not arrive. Null when turned away from. Throws Refused. */
export async function followTrial(
  taskId: string,
  signal: AbortSignal,
  onProgress: (progress: TrialProgress) => void,
): Promise<TrialProgress | null> {
  const ended = await followByEvents(taskId, signal, onProgress);
  if (ended !== "lost") return ended;
  let failures = 0;
  while (!signal.aborted) {
    try {
      const { progress } = await send<{ progress: TrialProgress }>(bffPaths.trialResult(taskId), { signal });
      if (progress.state !== "running") return progress;
      failures = 0;
      onProgress(progress);
    } catch (error) {
      failures += 1;
      const isPassing = error instanceof Refused && error.refusal.code === "network";
      if (!isPassing || failures > toleratedFailures) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pollEveryMs));
  }
  return null;
}

function followByEvents(taskId: string, signal: AbortSignal, onProgress: (progress: TrialProgress) => void) {
  return new Promise<TrialProgress | "lost" | null>((resolve, reject) => {
    const events = new EventSource(bffPaths.trialEvents(taskId));
    const end = (act: () => void) => {
      events.close();
      act();
    };
    signal.addEventListener("abort", () => end(() => resolve(null)), { once: true });
    events.addEventListener("progress", ({ data }) => {
      const progress = JSON.parse(data) as TrialProgress;
      if (progress.state === "running") onProgress(progress);
      else end(() => resolve(progress));
    });
    events.addEventListener("refusal", ({ data }) => end(() => reject(new Refused(JSON.parse(data) as Refusal))));
    events.onerror = () => end(() => resolve("lost"));
  });
}

async function send<Answer>(path: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(path, init).catch((cause: unknown) => {
    throw init.signal?.aborted ? cause : new Refused({ code: "network" });
  });
  const answer = (await response.json().catch(() => null)) as (Answer & { refusal?: Refusal }) | null;
  if (response.ok && answer && !answer.refusal) return answer;
  throw new Refused(answer?.refusal ?? { code: response.status === 413 ? "too-large" : "request-failed" });
}
