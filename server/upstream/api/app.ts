import { Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { type CallData, type CallName, calls } from "~server/contract/calls/table";
import { jsonMaxBytes } from "~server/contract/limits";
import type { PublicVersion } from "~server/public-reads";
import type { Accounts } from "../accounts/accounts";
import type { ExportAccount } from "../accounts/export";
import type { MarkAgreements } from "../accounts/mark-agreements";
import type { Billing } from "../billing/billing";
import { AppError } from "../errors";
import type { Clones } from "../generations/clones/clones";
import type { Dubs } from "../generations/dubs/dubs";
import type { ExportDub } from "../generations/dubs/export";
import type { AddMusic } from "../generations/dubs/music";
import type { TaskEvents } from "../generations/events";
import type { TaskActions } from "../generations/tasks";
import type { Trials } from "../generations/trials/trials";
import type { Videos } from "../generations/videos/videos";
import type { Cashier } from "../payments/gateways/sandbox/cashier";
import type { Dictionary } from "../scripts/dictionary";
import type { Samples } from "../scripts/samples";
import type { ShareFiles } from "../shares/files";
import type { Shares } from "../shares/shares";
import type { Reports } from "../square/reports";
import type { Square } from "../square/roles";
import type { Verify } from "../verify/verify";
import type { ConsentLinks } from "../voices/consent-links";
import type { Conversions } from "../voices/conversions";
import type { Portraits } from "../voices/portraits";
import type { Spending } from "../voices/ports";
import type { Proofs } from "../voices/proofs/proofs";
import type { Recordings } from "../voices/recordings";
import type { Renditions } from "../voices/renditions";
import type { Revocations } from "../voices/revocations";
import type { Roles } from "../voices/roles/roles";
import { createAuth } from "./auth";
import { createCloneRoutes, createVideoRoutes } from "./clones";
import { createDubRoutes } from "./dubs";
import { answer, createErrorHandler, newRequestIdOf, type ReportError } from "./envelope";
import { createFileRoutes, type ServedFiles } from "./files";
import { openApiDocument } from "./openapi";
import { createCashierRoutes, createNotifyRoutes, createPayRoutes } from "./pay";
import { createConsentLinkRoutes, createProofRoutes } from "./proofs";
import { createRateGuard, type HitRate } from "./rate";
import { createRoleRoutes, createSquareRoutes } from "./roles";
import { createScriptRoutes, type FindPolyphones } from "./script";
import { advanceOnPublicChange, createAnswerShared } from "./shared";
import { createShareRoutes } from "./shares";
import { createTaskRoutes } from "./tasks";
import { createTranscriptionRoutes, type TranscriptionRouteParts } from "./transcriptions";
import { createUploadRoutes } from "./uploads";
import { createUserRoutes } from "./users";

export interface ApiParts extends Pick<TranscriptionRouteParts, "transcribe" | "writeSubtitles"> {
  /** Required as the `appid` header; "" accepts every caller. */
  appId: string;
  /** "embedded" where only the built-in engine speaks. */
  engine: "embedded" | "other";
  /** Companies that recordings are sent to. */
  vendors: string[];
  /** Names a new temporary file in an existing folder. */
  temporaryPath(): string;
  uploadMaxBytes?: number | undefined;
  reportError: ReportError;
  hitRate: HitRate;
  publicVersion: PublicVersion;
  /** Jobs that `act` enqueues are logged with the request's id. */
  within<Result>(requestId: string, act: () => Promise<Result>): Promise<Result>;
  accounts: Accounts;
  userInfo(accountId: string): Promise<CallData<"userInfo">>;
  billing: Billing;
  /** Of the sandbox gateway, where there is one. */
  cashier: Cashier | undefined;
  exportAccount: ExportAccount;
  markAgreements: Pick<MarkAgreements, "read" | "change">;
  recordings: Recordings;
  renditions: Pick<Renditions, "exportOf">;
  conversions: Conversions;
  addMusic: AddMusic;
  portraits: Portraits;
  square: Square;
  files: ServedFiles & { ofShares: ShareFiles };
  verify: Verify["verify"];
  /** Undefined where no proof is asked for. */
  proofs: Proofs | undefined;
  consentLinks: ConsentLinks;
  findPolyphones: FindPolyphones;
  exportDub: ExportDub;
  generations: {
    clones: Clones;
    dubs: Dubs;
    trials: Trials;
    videos: Videos;
    roles: Roles;
    revocations: Pick<Revocations, "revoke">;
    reports: Pick<Reports, "file">;
    shares: Shares;
    events: Pick<TaskEvents, "follow">;
    actions: TaskActions;
    allowanceOf: Spending["allowanceOf"];
    dictionary: Dictionary;
    samples: Pick<Samples, "speak">;
  };
}

/** /api/v1 as one Hono app. */
export function createApi(parts: ApiParts) {
  const { accounts, userInfo, billing, cashier, renditions, exportAccount, exportDub, findPolyphones, markAgreements } =
    parts;
  const {
    clones,
    dubs,
    trials,
    videos,
    roles,
    revocations,
    reports,
    events,
    actions,
    allowanceOf,
    dictionary,
    samples,
  } = parts.generations;
  const app = new Hono().basePath("/api/v1");
  app.onError(createErrorHandler(parts.reportError));
  app.notFound(() => {
    throw new AppError("not-found", "no such call", { status: 404 });
  });
  app.use(async (c, next) => {
    const requestId = newRequestIdOf(c);
    c.header("x-request-id", requestId);
    c.header("cache-control", "private, no-store");
    await (c.req.method === "GET" ? next() : parts.within(requestId, next));
  });
  app.get("/openapi.json", (c) => c.json(openApiDocument()));
  app.use(limitJson);
  const auth = createAuth(accounts.find);
  const rateGuard = createRateGuard(parts.hitRate, auth);
  app.route("/", createNotifyRoutes(billing, rateGuard));
  app.use(requireAppId(parts.appId));
  app.use(rateGuard);
  app.use(advanceOnPublicChange(parts.publicVersion));
  const answerShared = createAnswerShared(parts.publicVersion);
  const present = { cashier, proof: parts.proofs, transcribe: parts.transcribe };
  const lacking = Object.entries(present).flatMap(([prefix, part]) => (part ? [] : [prefix]));
  const capabilities = { calls: ownCalls(lacking), engine: parts.engine, isLabelled: true, vendors: parts.vendors };
  app.get("/capabilities", (c) => answer(c, capabilities));
  app.route("/", createSquareRoutes({ square: parts.square, reports, auth, answerShared }));
  app.route("/", createShareRoutes({ shares: parts.generations.shares, files: parts.files, auth }));
  app.route("/", createFileRoutes({ files: parts.files, renditions, conversions: parts.conversions, auth }));
  app.route("/", createUploadRoutes(parts, auth));
  app.route("/", createTranscriptionRoutes(parts, auth));
  app.route("/", createRoleRoutes({ roles, revocations, auth }));
  if (parts.proofs) app.route("/", createProofRoutes({ proofs: parts.proofs, auth }));
  app.route("/", createConsentLinkRoutes({ links: parts.consentLinks, auth }));
  app.route("/", createCloneRoutes({ recordings: parts.recordings, clones, trials, auth }));
  app.route("/", createTaskRoutes({ actions, events, allowanceOf, auth }));
  app.route("/", createDubRoutes({ dubs, exportDub, auth }));
  app.route("/", createVideoRoutes({ videos, auth }));
  app.route("/", createScriptRoutes({ dictionary, samples, allowanceOf, findPolyphones, auth }));
  app.route("/", createPayRoutes({ billing, auth, answerShared }));
  app.route("/", createUserRoutes({ accounts, userInfo, exportAccount, markAgreements, auth }));
  if (cashier) app.route("/", createCashierRoutes(cashier, auth));
  return app;
}

/** The calls beyond the specification, without those that begin like a lacking part: sandbox, proofs or recogniser. */
function ownCalls(lacking: readonly string[]): CallName[] {
  const names = Object.keys(calls) as CallName[];
  return names.filter((name) => calls[name].confidence === "O" && !lacking.some((prefix) => name.startsWith(prefix)));
}

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

/** Upload routes count their bodies themselves. For a GET, looking for a body would construct a Request in vain. */
const limitJson: MiddlewareHandler = (c, next) =>
  c.req.method === "GET" || multipartPaths.has(c.req.path) ? next() : limitBody(c, next);
