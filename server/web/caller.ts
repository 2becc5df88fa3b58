import { hasFreshCookie, type Session } from "../bff/session.server";
import { upstreamBudgetMs } from "../bff/upstream.server";
import type { Caller } from "../bff/upstream-call.server";
import type { WebContext } from "./request";

export const isRead = ({ method }: WebContext["req"]) => method === "GET" || method === "HEAD";

/** Event streams call the upstream without a time budget. */
const isEventStream = ({ path }: WebContext["req"]) => path.endsWith("/events");

/** The visitor as the caller of the upstream. A login changes the token and the visitor during the request. */
export function callerOf(c: WebContext, session: Session): Caller {
  const isReadOnly = isRead(c.req);
  let signal: AbortSignal | undefined;
  return {
    clientAddress: c.var.connection.clientAddress,
    requestId: c.var.requestId,
    isReadOnly,
    isFresh: !isReadOnly || hasFreshCookie(c.req.header("cookie") ?? null),
    answerBy: isEventStream(c.req) ? undefined : performance.now() + upstreamBudgetMs,
    get token() {
      return session.values.token;
    },
    get visitorId() {
      return session.values.visitorId;
    },
    /** Created at the first call: an answer that is known already needs none. */
    get signal() {
      signal ??= clientDisconnectSignal(c);
      return signal;
    },
  };
}

/** Aborts when the client disconnects before the response has ended. Reading `raw.signal` would construct a Request. */
function clientDisconnectSignal(c: WebContext): AbortSignal {
  const { outgoing } = c.env ?? {};
  if (!outgoing) return c.req.raw.signal;
  const controller = new AbortController();
  if (outgoing.destroyed && !outgoing.writableFinished) controller.abort();
  // Not after a complete response: an abort captures a stack trace, which takes longer than a short response.
  outgoing.once("close", () => outgoing.writableFinished || controller.abort());
  return controller.signal;
}
