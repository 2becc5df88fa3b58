import { type Context, Hono } from "hono";
import { type SSEStreamingApi, streamSSE } from "hono/streaming";
import { taskEventsQuery, taskRequest } from "~server/contract/calls/tasks";
import type { TaskEvents } from "../generations/events";
import type { TaskActions } from "../generations/tasks";
import type { Owner } from "../owner";
import type { Spending } from "../voices/ports";
import type { Auth } from "./auth";
import { answer } from "./envelope";
import { parse, readJson } from "./parse";

interface TaskRouteParts {
  actions: TaskActions;
  events: Pick<TaskEvents, "follow">;
  allowanceOf: Spending["allowanceOf"];
  auth: Auth;
}

const heartbeatMs = 15_000;
const reconnectMs = 2000;

/** Task events, cancelling and retrying. */
export function createTaskRoutes({ actions, events, allowanceOf, auth }: TaskRouteParts) {
  return new Hono()
    .get("/tasks/events", async (c) => {
      const owner = await auth.requireOwner(c);
      const since = parse(taskEventsQuery, { since: c.req.header("last-event-id") ?? c.req.query("since") }).since;
      return streamSSE(c, (stream) => streamEvents(c, stream, { owner, since, events, auth }));
    })
    .post("/tasks/cancel", async (c) => {
      await actions.cancel(await auth.requireOwner(c), parse(taskRequest, await readJson(c)).taskId);
      return answer(c, {});
    })
    .post("/tasks/retry", async (c) => {
      const owner = await auth.requireAccountOwner(c);
      await actions.retry(owner, parse(taskRequest, await readJson(c)).taskId);
      return answer(c, {});
    })
    .get("/tasks/allowance", async (c) => answer(c, await allowanceOf(await auth.requireAccount(c))));
}

interface StreamOptions extends Pick<TaskRouteParts, "events"> {
  owner: Owner;
  since: number;
  auth: Auth;
}

/** Ends when the client disconnects, the server closes, or the login expires. */
async function streamEvents(c: Context, stream: SSEStreamingApi, { owner, since, events, auth }: StreamOptions) {
  const end = new AbortController();
  stream.onAbort(() => end.abort());
  const signal = AbortSignal.any([c.req.raw.signal, end.signal]);
  const beat = async () => {
    if ((await auth.findOwner(c)) !== owner) return end.abort();
    await stream.write(":\n\n");
  };
  const timer = setInterval(() => void beat().catch(() => end.abort()), heartbeatMs);
  try {
    await stream.write(`retry: ${reconnectMs}\n\n`);
    for await (const { id, event } of events.follow(owner, since, signal)) {
      await stream.writeSSE({ id: String(id), data: JSON.stringify(event) });
    }
  } finally {
    clearInterval(timer);
  }
}
