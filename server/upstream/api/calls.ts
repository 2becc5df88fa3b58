import { type Context, Hono } from "hono";
import { type CallName, type CallRequest, calls } from "~server/contract/calls/table";
import { type AccountOwner, type Owner, ownerOf } from "../owner";
import { type Auth, addressOf, idempotencyKeyOf } from "./auth";
import { answer } from "./envelope";
import { type Parse, parse, readJson, readQuery } from "./parse";

/** Identifies the caller as far as the contract's table requires it. */
interface Callers {
  user: { accountId: string; owner: AccountOwner };
  visitor: { owner: Owner };
  none: Record<never, never>;
}

interface Received {
  address: string;
  idempotencyKey: string | undefined;
  /** The key that acts for the account. */
  apiKeyId: string | undefined;
  c: Context;
}

type CallerOf<N extends CallName> = Received & Callers[(typeof calls)[N]["caller"]];
type Handlers = { [N in CallName]?: (request: CallRequest<N>, caller: CallerOf<N>) => unknown };
type CallAuth = Pick<Auth, "requireAccount" | "requireOwner" | "findApiKeyId">;

/**
 * Routes of calls: method, path, caller and request are those of the contract's table; the request of an upload is not
 * read. A handler returns the envelope's data, or a complete response. `parsers` read requests whose faults have codes.
 */
export function createCallRoutes(
  auth: CallAuth,
  handlers: Handlers,
  parsers: Partial<Record<CallName, Parse>> = {},
): Hono {
  const app = new Hono();
  for (const [name, handle] of Object.entries(handlers) as [
    CallName,
    (request: unknown, caller: unknown) => unknown,
  ][]) {
    const { method, path, sends, caller, request } = calls[name];
    app.on(method, path, async (c) => {
      const identity = await identify(c, caller, auth);
      const idempotencyKey = method === "POST" ? idempotencyKeyOf(c) : undefined;
      const sent = method === "GET" ? readQuery(c) : sends === "multipart" ? {} : await readJson(c);
      const read = sends === "multipart" ? sent : (parsers[name] ?? parse)(request, sent);
      const apiKeyId = await auth.findApiKeyId(c);
      const data = await handle(read, { ...identity, address: addressOf(c), idempotencyKey, apiKeyId, c });
      return data instanceof Response ? data : answer(c, data === undefined ? {} : data);
    });
  }
  return app;
}

async function identify(c: Context, caller: keyof Callers, auth: CallAuth): Promise<Callers[keyof Callers]> {
  if (caller === "none") return {};
  if (caller === "visitor") return { owner: await auth.requireOwner(c) };
  const accountId = await auth.requireAccount(c);
  return { accountId, owner: ownerOf(accountId) };
}

/** The ids of a call that names one, several, or both. */
export const idsOf = (id: string | undefined, ids: readonly string[] = []): string[] => (id ? [id, ...ids] : [...ids]);
