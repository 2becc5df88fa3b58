import { redirect } from "@remix-run/node";
import { z } from "zod/v4";
import {
  type ConsoleAnswer,
  type ConsoleDone,
  type ConsoleMe,
  consoleAnswer,
  consoleDone,
  consoleLogin,
  consoleMe,
  consoleVerified,
} from "../contract/console";
import { toWebStream } from "../web-stream";
import { MissingCall, type Refusal, statusOf, toRefusal, UpstreamRefusal } from "./refusal.server";
import type { Incoming, Transport } from "./transport.server";
import { type Caller, createDeadline, headersOf, readAnswer } from "./upstream-call.server";

interface ConsoleRequest {
  /** Below `/api/v1/console`. */
  path: string;
  /** Of the console's login. */
  token: string;
  query?: Record<string, string>;
  /** Present: a POST. */
  body?: object;
}

/** The upstream's operators' console; throws UpstreamRefusal. */
export interface ConsoleClient {
  call<T extends z.ZodType>(request: ConsoleRequest, schema: T): Promise<z.output<T>>;
  /** Bytes of a recording. */
  open(request: ConsoleRequest): Promise<Incoming>;
}

const timeoutMs = 22_000;

export function createConsoleClient(
  { base, transport, appId }: { base: string; transport: Transport; appId: string },
  caller: () => Caller,
): ConsoleClient {
  const send = ({ path, token, query = {}, body }: ConsoleRequest, signal: AbortSignal) => {
    const url = new URL(`${base}/api/v1/console${path}`);
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
    const headers = { ...headersOf({ ...caller(), token }, appId), accept: "application/json" };
    if (body === undefined) return transport({ method: "GET", url, headers, signal });
    const json = { ...headers, "content-type": "application/json" };
    return transport({ method: "POST", url, headers: json, body: JSON.stringify(body), signal });
  };
  const within = async <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const deadline = createDeadline(timeoutMs, caller().signal);
    try {
      return await work(deadline.signal);
    } catch (error) {
      throw error instanceof UpstreamRefusal ? error : new UpstreamRefusal({ code: "network" }, { cause: error });
    } finally {
      deadline.clear();
    }
  };
  return {
    call: (request, schema) => within(async (signal) => readAnswer(await send(request, signal), schema)),
    open: (request) => within((signal) => send(request, signal)),
  };
}

/** A request to the console's pages. */
export interface ConsoleVisit {
  request: Request;
  context: { upstream: { console: ConsoleClient }; isSecure: boolean };
}

const cookieName = (isSecure: boolean) => (isSecure ? "__Host-console" : "console");

function tokenOf({ request, context }: ConsoleVisit): string {
  const pairs = (request.headers.get("cookie") ?? "").split(/; */).map((pair) => pair.split("="));
  return pairs.find(([name]) => name === cookieName(context.isSecure))?.[1] ?? "";
}

/** `Set-Cookie` of a login, or of its end. The api ends it after a while without a call. */
const cookieOf = (token: string, isSecure: boolean) =>
  `${cookieName(isSecure)}=${token}; Path=/; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}${token ? "" : "; Max-Age=0"}`;

/** The operator who asks; null without a login. Throws a 404 where the upstream has no console. */
export async function findConsoleMe(visit: ConsoleVisit): Promise<ConsoleMe | null> {
  const token = tokenOf(visit);
  try {
    return await visit.context.upstream.console.call({ path: "/me", token }, consoleMe);
  } catch (error) {
    if (toRefusal(error).code === "login-expired") return null;
    throw error instanceof MissingCall ? new Response(null, { status: 404 }) : shown(error);
  }
}

/** The operator whose login is complete; redirects to the login. */
export async function requireConsoleMe(visit: ConsoleVisit, loginPath: string): Promise<ConsoleMe> {
  const me = await findConsoleMe(visit);
  if (me?.stage !== "in") throw redirect(loginPath);
  return me;
}

const shown = (error: unknown) => new Response(null, { status: statusOf(toRefusal(error)) });

export async function readConsole(
  visit: ConsoleVisit,
  name: string,
  query: Record<string, string>,
): Promise<{ answer: ConsoleAnswer } | { refusal: Refusal }> {
  const request = { path: `/operations/${encodeURIComponent(name)}`, token: tokenOf(visit), query };
  return visit.context.upstream.console.call(request, consoleAnswer).then(
    (answer) => ({ answer }),
    (error) => ({ refusal: toRefusal(error) }),
  );
}

/** Does an operation. */
export async function actOnConsole(
  visit: ConsoleVisit,
  name: string,
  body: { input: Record<string, string>; reason: string; code: string },
): Promise<ConsoleDone | { refusal: Refusal }> {
  const request = { path: `/operations/${encodeURIComponent(name)}`, token: tokenOf(visit), body };
  return visit.context.upstream.console
    .call(request, consoleDone)
    .catch((error: unknown) => ({ refusal: toRefusal(error) }));
}

/** `Set-Cookie` of the new login. */
export async function logInToConsole(visit: ConsoleVisit, body: { phone: string; code: string }): Promise<string> {
  const { token } = await visit.context.upstream.console.call({ path: "/login", token: "", body }, consoleLogin);
  return cookieOf(token, visit.context.isSecure);
}

/** Recovery codes where the authenticator is new. */
export const verifyConsoleCode = async (visit: ConsoleVisit, code: string): Promise<string[]> =>
  (await visit.context.upstream.console.call({ path: "/code", token: tokenOf(visit), body: { code } }, consoleVerified))
    .recoveryCodes;

/** `Set-Cookie` without a login. */
export async function logOutOfConsole(visit: ConsoleVisit): Promise<string> {
  await visit.context.upstream.console
    .call({ path: "/logout", token: tokenOf(visit), body: {} }, z.unknown())
    .catch(() => {});
  return cookieOf("", visit.context.isSecure);
}

/** A recording of a proof as an answer. */
export async function openConsoleSound(visit: ConsoleVisit, proof: string, which: string): Promise<Response> {
  const path = `/proofs/${encodeURIComponent(proof)}/${encodeURIComponent(which)}`;
  const { status, header, body } = await visit.context.upstream.console.open({ path, token: tokenOf(visit) });
  if (status === 200)
    return new Response(toWebStream(body), { headers: { "content-type": header("content-type") ?? "" } });
  body.destroy();
  return new Response(null, { status });
}
