import { Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { calls } from "~server/contract/calls/table";
import { jsonMaxBytes } from "~server/contract/limits";
import type { Accounts } from "../accounts/accounts";
import type { ExportAccount } from "../accounts/export";
import type { Billing } from "../billing/billing";
import { AppError } from "../errors";
import type { Clones } from "../generations/clones/clones";
import type { Trials } from "../generations/trials/trials";
import type { Cashier } from "../payments/gateways/sandbox/cashier";
import type { Verify } from "../verify/verify";
import type { Portraits } from "../voices/portraits";
import type { Recordings } from "../voices/recordings";
import { createAuth } from "./auth";
import { type CapabilityRouteParts, createCapabilityRoutes } from "./capabilities";
import { createCloneRoutes } from "./clones";
import { createDubRoutes, type DubRouteParts } from "./dubs";
import { createErrorHandler, type ReportError, requestIdOf } from "./envelope";
import { createExportRoutes } from "./export";
import { createFileRoutes, type FileRouteParts } from "./files";
import { openApiDocument } from "./openapi";
import { createCashierRoutes, createNotifyRoutes, createPayRoutes } from "./pay";
import { createRateGuard, type HitRate } from "./rate";
import { createRoleRoutes, type RoleRouteParts } from "./roles";
import { createScriptRoutes, type ScriptRouteParts } from "./script";
import { createSquareRoutes, type SquareRouteParts } from "./square";
import { createTaskRoutes, type TaskRouteParts } from "./tasks";
import { createTrialRoutes } from "./trials";
import { createUploadRoutes } from "./uploads";
import { createUserRoutes } from "./users";
import { createVerifyRoutes } from "./verify";

export interface ApiParts
  extends Omit<FileRouteParts, "auth">,
    TaskRouteParts,
    ScriptRouteParts,
    DubRouteParts,
    RoleRouteParts,
    SquareRouteParts {
  /** Callers must send it as `appid`; "" lets everybody in. */
  appId: string;
  engine: CapabilityRouteParts["engine"];
  /** Names a new temporary file, in a folder that exists. */
  temporaryPath(): string;
  uploadMaxBytes?: number | undefined;
  recordings: Recordings;
  portraits: Portraits;
  trials: Trials;
  clones: Clones;
  accounts: Accounts;
  exportAccount: ExportAccount;
  billing: Billing;
  /** The sandbox gateway's, where there is one. */
  cashier: Cashier | undefined;
  verify: Verify["verify"];
  reportError: ReportError;
  hitRate: HitRate;
  /** Work that a call leaves behind is told by the call's id. */
  within<Result>(requestId: string, act: () => Result): Result;
}

/** /api/v1 as one Hono app. */
export function createApi(parts: ApiParts) {
  const app = new Hono().basePath("/api/v1");
  app.onError(createErrorHandler(parts.reportError));
  app.notFound(() => {
    throw new AppError("not-found", "no such call", { status: 404 });
  });
  app.use(async (c, next) => {
    const requestId = requestIdOf(c);
    c.header("x-request-id", requestId);
    c.header("cache-control", "private, no-store");
    await parts.within(requestId, next);
  });
  app.get("/openapi.json", (c) => c.json(openApiDocument()));
  app.use(limitJson);
  const auth = createAuth(parts.accounts.find);
  const rateGuard = createRateGuard(parts.hitRate, auth);
  app.route("/", createNotifyRoutes(parts.billing, rateGuard));
  app.use(requireAppId(parts.appId));
  app.use(rateGuard);
  app.route("/", createCapabilityRoutes({ engine: parts.engine, hasCashier: parts.cashier !== undefined }));
  app.route("/", createSquareRoutes({ ...parts, auth }));
  app.route("/", createFileRoutes({ ...parts, auth }));
  app.route("/", createUploadRoutes({ ...parts, auth, maxBytes: parts.uploadMaxBytes }));
  app.route("/", createRoleRoutes({ ...parts, auth }));
  app.route("/", createTrialRoutes({ trials: parts.trials, auth }));
  app.route("/", createCloneRoutes({ ...parts, auth }));
  app.route("/", createTaskRoutes({ ...parts, auth }));
  app.route("/", createDubRoutes({ ...parts, auth }));
  app.route("/", createScriptRoutes({ ...parts, auth }));
  app.route("/", createPayRoutes({ billing: parts.billing, ...auth }));
  app.route("/", createUserRoutes({ ...parts, auth }));
  app.route("/", createVerifyRoutes(parts));
  app.route("/", createExportRoutes({ ...parts, auth }));
  if (parts.cashier) app.route("/", createCashierRoutes(parts.cashier));
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

const multipartCalls = Object.values(calls).filter(({ sends }) => sends === "multipart");
const multipartPaths = new Set(multipartCalls.map(({ path }) => `/api/v1${path}`));

/** Calls that take a file count it themselves. To look for the body of a GET, which has none, would make a Request of it. */
const limitJson: MiddlewareHandler = (c, next) =>
  c.req.method === "GET" || multipartPaths.has(c.req.path) ? next() : limitBody(c, next);
