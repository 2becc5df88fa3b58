import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirectDocument } from "@remix-run/node";
import { endsLogin, type Refusal, statusOf, toRefusal, UpstreamRefusal } from "./refusal.server";
import type { Session } from "./session.server";

type Handler = (args: LoaderFunctionArgs & ActionFunctionArgs) => unknown;
type Method = "POST" | "PATCH" | "DELETE";

/**
 * Builds the loader or action of a resource route that responds with JSON, from one handler or one per method. The body is
 * the handler's result (null for undefined), or `{refusal}` with its status; a Response is returned as it is. Methods
 * without a handler are refused as `bad-request`.
 */
export function jsonRoute(handlers: Handler | Partial<Record<Method, Handler>>) {
  return async (args: Parameters<Handler>[0]): Promise<Response> => {
    try {
      const handle = typeof handlers === "function" ? handlers : handlers[args.request.method as Method];
      if (!handle) throw new UpstreamRefusal({ code: "bad-request" });
      const result = await handle(args);
      return result instanceof Response ? result : Response.json(result ?? null);
    } catch (error) {
      const refusal = toRefusal(error);
      if (endsLogin(refusal)) args.context.session.logOut();
      return toResponse(refusal);
    }
  };
}

export function toResponse(refusal: Refusal): Response {
  const { retryAfterSeconds } = refusal;
  const headers = new Headers();
  if (retryAfterSeconds !== undefined) headers.set("retry-after", String(retryAfterSeconds));
  return Response.json({ refusal }, { status: statusOf(refusal), headers });
}

/** For a page's loader: a login that is over ends the session and redirects to the login page, in a new document. */
export function throwIfLoginExpired(error: unknown, session: Session, loginPath: string): void {
  const { code } = toRefusal(error);
  if (!endsLogin({ code })) return;
  session.logOut();
  throw redirectDocument(code === "account-banned" ? bannedLoginPath : loginPath);
}

const bannedLoginPath = "/user/login?banned=1";

/** For a page's loader: throws a refusal so that the error page says it; any other error as it is, to be reported. */
export function throwShown(error: unknown): never {
  throw error instanceof UpstreamRefusal
    ? data({ refusal: error.refusal }, { status: statusOf(error.refusal) })
    : error;
}

/** The JSON object in a request's body; throws UpstreamRefusal `bad-request` for any other body. */
export async function readInput(request: Request): Promise<Record<string, unknown>> {
  const input: unknown = await request.json().catch(() => null);
  if (typeof input !== "object" || input === null) throw new UpstreamRefusal({ code: "bad-request" });
  return input as Record<string, unknown>;
}

/** The fields of a form; null for any other body. */
export const readForm = (request: Request): Promise<FormData | null> => request.formData().catch(() => null);

export const queryOf = (request: Request) => new URL(request.url).searchParams;

/** The 1-based page and the keyword of a list; invalid values count as absent. */
export function parsePaging(query: URLSearchParams): { page: number; keyword: string } {
  const page = Math.trunc(Number(query.get("page")));
  const keyword = [...(query.get("keyword") ?? "").trim()].slice(0, 100).join("");
  return { page: Number.isSafeInteger(page) && page > 1 ? page : 1, keyword };
}

/**
 * The path after a login: `requested` if it is a path of this site, otherwise "/". Parsed as browsers parse it, so that
 * neither `//host` nor `/.//host` leads to another site.
 */
export function parseReturnPath(requested: string | null, ownOrigin: string): string {
  if (!requested || !URL.canParse(requested, ownOrigin)) return "/";
  const { origin, pathname, search, hash } = new URL(requested, ownOrigin);
  if (origin !== ownOrigin || pathname.startsWith("//")) return "/";
  return /^\/(user\/login|bff)(\/|$)/.test(pathname) ? "/" : pathname + search + hash;
}

/** The browser's idempotency key; undefined if there is none or it has another form. */
export const idempotencyKeyOf = ({ headers }: Request) =>
  /^[\w-]{8,100}$/.exec(headers.get("idempotency-key") ?? "")?.[0];
