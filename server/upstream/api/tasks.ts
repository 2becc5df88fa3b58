import type { Context } from "hono";
import { type SSEStreamingApi, streamSSE } from "hono/streaming";
import { taskEventsQuery } from "~server/contract/calls/tasks";
import type { TaskEvents } from "../generations/events";
import type { TaskActions } from "../generations/tasks";
import type { Owner } from "../owner";
import type { Spending } from "../voices/ports";
import type { Auth } from "./auth";
import { createCallRoutes } from "./calls";
import { parse } from "./parse";

export interface TaskRouteParts {
  actions: TaskActions;
  events: Pick<TaskEvents, "follow">;
  allowanceOf: Spending["allowanceOf"];
}

const heartbeatMs = 15_000;
const reconnectMs = 2000;

/** Task events, cancelling and retrying. */
export const createTaskRoutes = ({ actions, events, allowanceOf }: TaskRouteParts, auth: Auth) =>
  createCallRoutes(auth, {
    taskCancel: ({ taskId }, { owner }) => actions.cancel(owner, taskId),
    taskRetry: ({ taskId }, { owner }) => actions.retry(owner, taskId),
    allowance: (_, { accountId }) => allowanceOf(accountId),
    taskEvents(query, { owner, c }) {
      const { since } = parse(taskEventsQuery, { since: c.req.header("last-event-id") ?? query.since });
      return streamSSE(c, (stream) => streamEvents(c, stream, { owner, since, events, auth }));
    },
  });

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
