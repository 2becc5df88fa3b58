import { Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { AppError } from "../errors";
import type { Square } from "../square/roles";
import { requireAccount } from "./auth";
import { createErrorHandler, type ReportError, requestIdOf } from "./envelope";
import { createSquareRoutes } from "./square";

export interface ApiParts {
  /** Callers must send it as `appid`; "" lets everybody in. */
  appId: string;
  trustedProxies: string[];
  square: Square;
  reportError: ReportError;
}

const jsonMaxBytes = 256 * 1024;

/** /api/v1 as one Hono app. */
export function createApi(parts: ApiParts) {
  const app = new Hono().basePath("/api/v1");
  app.onError(createErrorHandler(parts.reportError));
  app.notFound(() => {
    throw new AppError("not-found", "no such call", { status: 404 });
  });
  app.use(async (c, next) => {
    c.header("x-request-id", requestIdOf(c));
    c.header("cache-control", "private, no-store");
    await next();
  });
  app.use(requireAppId(parts.appId));
  app.use(limitJson);
  app.route("/", createSquareRoutes(parts.square));
  app.get("/users/info", (c) => requireAccount(c));
  return app;
}

/** The caller's app: a page of ours sends it in every call. */
function requireAppId(appId: string): MiddlewareHandler {
  return async (c, next) => {
    if (appId !== "" && c.req.header("appid") !== appId) {
      throw new AppError("forbidden", "wrong appid", { status: 403 });
    }
    await next();
  };
}

const limitBody = bodyLimit({
  maxSize: jsonMaxBytes,
  onError: () => {
    throw new AppError("too-large", "body is too large", { status: 413 });
  },
});

/** Multipart bodies have limits of their own. */
const limitJson: MiddlewareHandler = (c, next) =>
  c.req.header("content-type")?.startsWith("multipart/") ? next() : limitBody(c, next);
