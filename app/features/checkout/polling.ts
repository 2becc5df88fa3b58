import { refusalOf } from "~/call";
import type { PayClient } from "./client";
import { type Flow, type FlowEvent, pollEveryMs } from "./flow";

/** What the parts of a desk share. */
export interface Running {
  client: PayClient;
  isOpen(): boolean;
  flow(): Flow;
  happen(event: FlowEvent): void;
  leaveToLogIn(): void;
}

/** Asks for the watched order's result, every two seconds while the flow says so; never twice at once. */
export function createPolling({ client, isOpen, flow, happen, leaveToLogIn }: Running) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking: string | null = null;

  /** Plans the next question, if there is one to ask. */
  function plan() {
    clearTimeout(timer);
    const { watch } = flow();
    if (isOpen() && watch?.state === "asking" && asking !== watch.orderId) timer = setTimeout(ask, pollEveryMs);
  }

  async function ask(): Promise<"success" | "waiting" | "failed" | null> {
    const orderId = flow().watch?.orderId;
    if (!isOpen() || !orderId || asking === orderId) return null;
    clearTimeout(timer);
    asking = orderId;
    try {
      const status = await client.fetchStatus(orderId);
      if (isOpen()) happen({ type: "answered", orderId, ...status });
      return status.result === "success" ? "success" : "waiting";
    } catch (error) {
      if (isOpen()) happen({ type: "poll-failed", orderId });
      if (refusalOf(error).code === "login-expired") leaveToLogIn();
      return "failed";
    } finally {
      if (asking === orderId) asking = null;
      plan();
    }
  }

  return { plan, ask, stop: () => clearTimeout(timer) };
}
