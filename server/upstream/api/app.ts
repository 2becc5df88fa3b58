import { Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { type CallName, calls } from "~server/contract/calls/table";
import { jsonMaxBytes } from "~server/contract/limits";
import { openApiText } from "~server/contract/openapi";
import type { PublicVersion } from "~server/public-reads";
import type { Billing } from "../billing/billing";
import { AppError } from "../errors";
import type { VideoTemplates } from "../generations/videos/templates";
import type { Videos } from "../generations/videos/videos";
import type { ConsoleDoor } from "../operations/console-door";
import type { Cashier } from "../payments/gateways/sandbox/cashier";
import type { ConsentLinks } from "../voices/consent-links";
import type { Proofs } from "../voices/proofs/proofs";
import type { Recordings } from "../voices/recordings";
import { apiKeyOf, createAuth, isProgram, toAccountMissing } from "./auth";
import { createConsoleRoutes } from "./console";
import { createDeveloperRoutes, type DeveloperRouteParts } from "./developers";
import { answer, createErrorHandler, newRequestIdOf, type ReportError } from "./envelope";
import { createFileRoutes, type FileRouteParts, type ServedFiles } from "./files";
import {
  type CloneRouteParts,
  createCloneRoutes,
  createDubRoutes,
  createTaskRoutes,
  createVideoRoutes,
  createWorkRoutes,
  type DubRouteParts,
  type TaskRouteParts,
  type WorkRouteParts,
} from "./generations";
import { createExactVoiceRoutes, createNaturalVoiceRoutes, type ExactVoice, type NaturalVoice } from "./natural-voice";
import { createOpenAiRoutes, type OpenAiRouteParts } from "./openai";
import { answerOpenAiError } from "./openai-errors";
import { createCashierRoutes, createNotifyRoutes, createPayRoutes } from "./pay";
import { createProjectRoutes, type ProjectRouteParts } from "./projects";
import { advanceOnPublicChange, createAnswerShared } from "./public-answers";
import { createRateGuard, type HitRate } from "./rate";
import {
  createConsentLinkRoutes,
  createProofRoutes,
  createRoleRoutes,
  createSquareRoutes,
  type RoleRouteParts,
  type SquareRouteParts,
} from "./roles";
import { createScriptRoutes, type ScriptRouteParts } from "./script";
import { createShareRoutes, type ShareRouteParts } from "./shares";
import { createTranscriptionRoutes, type TranscriptionRouteParts } from "./transcriptions";
import { createUploadRoutes, type UploadRouteParts } from "./uploads";
import { createUserRoutes, type UserRouteParts } from "./users";

export interface ApiParts
  extends UploadRouteParts,
    TranscriptionRouteParts,
    UserRouteParts,
    DeveloperRouteParts,
    FileRouteParts,
    ShareRouteParts,
    SquareRouteParts,
    RoleRouteParts,
    CloneRouteParts,
    Omit<OpenAiRouteParts, "clones" | "transcribe" | "files">,
    DubRouteParts,
    TaskRouteParts,
    WorkRouteParts,
    ProjectRouteParts,
    ScriptRouteParts {
  /** Required as the `appid` header; "" accepts every caller. */
  appId: string;
  /** "embedded" where only the built-in engine speaks now. */
  engine(): "embedded" | "kokoro" | "other";
  /** Undefined where no voice comes by itself. */
  naturalVoice: NaturalVoice | undefined;
  /** Undefined where people may not install a cloner. */
  exactVoice: ExactVoice | undefined;
  /** An engine speaks designed voices well enough to be offered. */
  speaksDesigns: boolean;
  /** Companies that recordings are sent to. */
  vendors: string[];
  reportError: ReportError;
  hitRate: HitRate;
  publicVersion: PublicVersion;
  /** Jobs that `act` enqueues are logged with the request's id. */
  within<Result>(requestId: string, act: () => Promise<Result>): Promise<Result>;
  billing: Billing;
  /** The sandbox gateway's cashier, if that gateway is configured. */
  cashier: Cashier | undefined;
  /** Undefined where no proof is asked for. */
  proofs: Proofs | undefined;
  consentLinks: ConsentLinks;
  recordings: Recordings;
  files: ServedFiles & ShareRouteParts["files"];
  videos: Videos;
  videoTemplates: VideoTemplates;
  console: ConsoleDoor;
}

/** /api/v1 as one Hono app. */
export function createApi(parts: ApiParts) {
  const { billing, cashier, exactVoice, naturalVoice, proofs } = parts;
  const app = new Hono().basePath("/api/v1");
  app.onError(createErrorHandler(parts.reportError, answerOpenAiError));
  app.notFound(() => {
    throw new AppError("not-found", "no such call", { status: 404 });
  });
  app.use(async (c, next) => {
    const requestId = newRequestIdOf(c);
    c.header("x-request-id", requestId);
    c.header("cache-control", "private, no-store");
    await (c.req.method === "GET" ? next() : parts.within(requestId, next));
  });
  const auth = createAuth(parts.accounts.find, parts.users.findByToken, parts.apiKeys);
  const rateGuard = createRateGuard(parts.hitRate, auth);
  app.get("/openapi.json", rateGuard, (c) => c.body(openApiText(), 200, { "content-type": "application/json" }));
  app.use(limitJson);
  app.route("/", createNotifyRoutes(billing, rateGuard));
  app.use(requireAppId(parts.appId));
  app.use(rateGuard);
  app.use(advanceOnPublicChange(parts.publicVersion));
  const answerShared = createAnswerShared(parts.publicVersion);
  const { transcribe, speaksDesigns: voiceDesigns } = parts;
  const present = {
    cashier,
    exactVoice,
    messages: parts.messages.areSent,
    naturalVoice,
    proof: proofs,
    transcribe,
    voiceDesigns,
  };
  const lacking = Object.entries(present).flatMap(([prefix, part]) => (part ? [] : [prefix]));
  const capabilities = { calls: ownCalls(lacking), isLabelled: true, vendors: parts.vendors };
  app.get("/capabilities", (c) => answer(c, { ...capabilities, engine: parts.engine() }));
  app.route("/", createSquareRoutes(parts, auth, answerShared));
  app.route("/", createShareRoutes(parts, auth));
  app.route("/", createFileRoutes(parts, auth));
  app.route("/", createUploadRoutes(parts, auth));
  app.route("/", createTranscriptionRoutes(parts, auth));
  app.route("/", createOpenAiRoutes(parts, auth));
  app.route("/", createRoleRoutes(parts, auth));
  if (proofs) app.route("/", createProofRoutes(proofs, auth));
  app.route("/", createConsentLinkRoutes(parts.consentLinks, auth));
  app.route("/", createCloneRoutes(parts, auth));
  app.route("/", createTaskRoutes(parts, auth));
  app.route("/", createDubRoutes(parts, auth));
  app.route("/", createVideoRoutes(parts, auth));
  app.route("/", createWorkRoutes(parts, auth));
  app.route("/", createScriptRoutes(parts, auth));
  app.route("/", createProjectRoutes(parts, auth));
  app.route("/", createPayRoutes(billing, auth, answerShared));
  app.route("/", createUserRoutes(parts, auth));
  app.route("/", createDeveloperRoutes(parts, auth));
  app.route("/", createConsoleRoutes(parts.console));
  if (cashier) app.route("/", createCashierRoutes(cashier, auth));
  if (naturalVoice) app.route("/", createNaturalVoiceRoutes(naturalVoice, auth));
  if (exactVoice) app.route("/", createExactVoiceRoutes(exactVoice, auth));
  return app;
}

/** The calls beyond the specification, without those that begin like a lacking part: sandbox, voice to come, proofs or recogniser. */
function ownCalls(lacking: readonly string[]): CallName[] {
  const names = Object.keys(calls) as CallName[];
  return names.filter((name) => calls[name].confidence === "O" && !lacking.some((prefix) => name.startsWith(prefix)));
}

function requireAppId(appId: string): MiddlewareHandler {
  return async (c, next) => {
    // Programs of OpenAI's interface send a key instead.
    if (appId !== "" && c.req.header("appid") !== appId && apiKeyOf(c) === "") {
      throw isProgram(c) ? toAccountMissing(c) : new AppError("forbidden", "wrong appid", { status: 403 });
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
