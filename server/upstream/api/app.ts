import { Hono, type MiddlewareHandler } from "hono";
import { type CallName, calls } from "~server/contract/calls/table";
import { jsonMaxBytes } from "~server/contract/limits";
import { openApiText } from "~server/contract/openapi";
import { AppError } from "../errors";
import { apiKeyOf, createAuth, isProgram, toAccountMissing } from "./auth";
import { createConsoleRoutes } from "./console";
import { answer, createErrorHandler, newRequestIdOf } from "./envelope";
import { createFileRoutes } from "./files";
import {
  createCloneRoutes,
  createDubRoutes,
  createScriptRoutes,
  createShareRoutes,
  createTaskRoutes,
  createVideoRoutes,
} from "./generations";
import { createOpenAiRoutes } from "./openai";
import { answerOpenAiError } from "./openai-errors";
import { limitBody } from "./parse";
import type { ApiParts } from "./parts";
import { createCashierRoutes, createNotifyRoutes, createPayRoutes } from "./pay";
import { advanceOnPublicChange, createAnswerShared } from "./public-answers";
import { createRateGuard } from "./rate";
import {
  createConsentLinkRoutes,
  createExactVoiceRoutes,
  createNaturalVoiceRoutes,
  createProofRoutes,
  createRoleRoutes,
  createSquareRoutes,
} from "./roles";
import { createTranscriptionRoutes, createUploadRoutes } from "./uploads";
import { createDeveloperRoutes, createProjectRoutes, createUserRoutes } from "./users";

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
  const present = {
    cashier,
    exactVoice,
    messages: parts.messages.areSent,
    naturalVoice,
    proof: proofs,
    transcribe: parts.speech.transcribe,
    voiceDesigns: parts.speaksDesigns,
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

const limitToJson = limitBody(jsonMaxBytes);

const multipartCalls = Object.values(calls).filter(({ sends }) => sends === "multipart");
const multipartPaths = new Set(multipartCalls.map(({ path }) => `/api/v1${path}`));

/** Upload routes count their bodies themselves. For a GET, looking for a body would construct a Request in vain. */
const limitJson: MiddlewareHandler = (c, next) =>
  c.req.method === "GET" || multipartPaths.has(c.req.path) ? next() : limitToJson(c, next);
