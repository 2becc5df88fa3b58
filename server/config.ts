import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod/v4";
import { isFilePath, isHttp, isOrigin, strangeProxies, wideProxies } from "./settings/addresses";
import { type FrameSettings, frameEnvironment, frameFaults, frameOf } from "./settings/frame";
import { findFfmpeg, findInstalledModels } from "./settings/installed";
import { type PaymentSettings, paymentEnvironment, paymentFaults, paymentsOf } from "./settings/payments";
import { secretFaults } from "./settings/secrets";
import { choiceOr, count, list, optional, text, url } from "./settings/setting";
import { type SmsSettings, smsEnvironment, smsFaults, smsOf } from "./settings/sms";
import { type SpeechSettings, speechEnvironment, speechFaults, speechOf } from "./settings/speech";
import { dataDirFaults, type S3Settings, storageEnvironment, storageFaults, storageOf } from "./settings/storage";

const environment = z.object({
  PORT: count(3000, { max: 65_535 }),
  HOST: text("0.0.0.0"),
  SITE_URL: url,
  SITE_NAME: text("声像"),
  APP_MODE: choiceOr("demo", ["demo", "production"]),
  DATA_DIR: text("./data"),
  API_BASE_URL: url,
  APP_ID: optional,
  SESSION_SECRET: optional,
  DATABASE_URL: url,
  DATA_KEY: optional,
  PROFILE_KEY: optional,
  LABEL_KEY: optional,
  FILE_PATHS: optional,
  FILE_ORIGINS: optional,
  VOICE_PROOF: choiceOr("required", ["required", "recorded"]),
  FFMPEG_PATH: optional,
  WEBHOOK_ADDRESSES: choiceOr("public", ["public", "any"]),
  VISITOR_DATA_DAYS: count(7, { min: 1, max: 3650 }),
  ...smsEnvironment,
  ...paymentEnvironment,
  ...storageEnvironment,
  ...speechEnvironment,
  ...frameEnvironment,
  ROLE: choiceOr("all", ["all", "web", "api", "worker"]),
  TRUSTED_PROXIES: optional,
  METRICS_TOKEN: optional,
  DRAIN_SECONDS: count(0, { max: 300 }),
  LOG_LEVEL: choiceOr("info", ["fatal", "error", "warn", "info", "debug", "trace", "silent"]),
});
type Environment = z.infer<typeof environment>;
/** Every variable that is read. */
export const settingNames: string[] = Object.keys(environment.shape);

export interface Config {
  port: number;
  host: string;
  /** Origin people see, without a trailing slash; null in demo mode when unset. */
  siteUrl: string | null;
  siteName: string;
  mode: "demo" | "production";
  role: "all" | "web" | "api" | "worker";
  dataDir: string;
  /** A foreign or separately started upstream; undefined means the embedded one, in this process. */
  apiBaseUrl: string | undefined;
  appId: string;
  /** Newest first; more than one (separated by commas) lets the secret rotate without ending sessions. */
  sessionSecrets: [string, ...string[]];
  databaseUrl: string | undefined;
  /** Phones are encrypted and tokens made with it; "" if no upstream is embedded. Another one finds no account again. */
  dataKey: string;
  /** Keys of voice profiles before `dataKey`, newest first. */
  profileKeys: string[];
  /** Signs AI-content labels and receipts; "": a key derived from `dataKey`. */
  labelKey: string;
  /** Sender of login codes; undefined in demo mode, where the page shows them. */
  sms: SmsSettings | undefined;
  /** Payment gateways. */
  payments: PaymentSettings;
  /** The bucket of the files; undefined means DATA_DIR. */
  storage: S3Settings | undefined;
  /** Speech engines. */
  speech: SpeechSettings;
  /** Whether a published voice must be proven by reading a prompt aloud, or a recorded agreement is enough. */
  voiceProof: "required" | "recorded";
  /** Where webhooks may lead: `any` allows http and private addresses. */
  webhookAddresses: "public" | "any";
  /** Days for which recordings and results of visitors without a login are kept. */
  visitorDataDays: number;
  /** The program that encodes films; undefined if there is none. */
  ffmpegPath: string | undefined;
  /** Paths of the upstream's own origin below which it keeps files, besides /api/v1/files/. */
  filePaths: string[];
  /** Origins besides the upstream's own whose files may be shown. */
  fileOrigins: string[];
  /** Settings of the frame around every page. */
  frame: FrameSettings;
  /** Addresses or CIDR ranges whose X-Forwarded-* headers are believed. */
  trustedProxies: string[];
  metricsToken: string | undefined;
  /** Seconds of serving after SIGTERM while /readyz answers no. */
  drainSeconds: number;
  logLevel: Environment["LOG_LEVEL"];
}

/** Names every fault of the settings at once. */
export class ConfigError extends Error {
  constructor(readonly faults: string[]) {
    super(`The settings cannot be used:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`);
    this.name = "ConfigError";
  }
}

const demoAppId = "shengxiang";
const servesPages = (role: Config["role"]) => role === "all" || role === "web";
const hasUpstream = ({ ROLE, API_BASE_URL }: Environment) => ROLE !== "web" && !(ROLE === "all" && API_BASE_URL);
/** Reads the settings from the environment; throws ConfigError naming every fault. The only reader of process.env. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const parsed = environment.safeParse(env);
  if (!parsed.success)
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`));
  const settings = parsed.data;
  const faults = [...roleFaults(settings), ...(settings.APP_MODE === "production" ? productionFaults(settings) : [])];
  const dataDir = resolve(settings.DATA_DIR);
  if (faults.length === 0 && (hasUpstream(settings) || !settings.SESSION_SECRET))
    faults.push(...dataDirFaults(dataDir));
  if (faults.length > 0) throw new ConfigError(faults);
  const isDemo = settings.APP_MODE === "demo";
  const [secret, ...older] = list(settings.SESSION_SECRET);
  return {
    port: settings.PORT,
    host: settings.HOST,
    siteUrl: settings.SITE_URL ? new URL(settings.SITE_URL).origin : null,
    siteName: settings.SITE_NAME,
    mode: settings.APP_MODE,
    role: settings.ROLE,
    dataDir,
    apiBaseUrl: settings.API_BASE_URL?.replace(/\/+$/, "").replace(/\/+api\/v1$/, ""),
    appId: settings.APP_ID ?? demoAppId,
    sessionSecrets: [secret ?? (servesPages(settings.ROLE) ? keptSecret(dataDir, "session-secret") : ""), ...older],
    databaseUrl: settings.DATABASE_URL,
    dataKey: settings.DATA_KEY ?? (hasUpstream(settings) ? keptSecret(dataDir, "data-key") : ""),
    profileKeys: list(settings.PROFILE_KEY),
    labelKey: settings.LABEL_KEY ?? (hasUpstream(settings) && isDemo ? keptSecret(dataDir, "label-key") : ""),
    sms: hasUpstream(settings) ? smsOf(settings) : undefined,
    payments: hasUpstream(settings) ? paymentsOf(settings) : { wechatPay: undefined, alipay: undefined },
    storage: hasUpstream(settings) ? storageOf(settings) : undefined,
    speech: speechOf(settings, findInstalledModels(dataDir)),
    voiceProof: settings.VOICE_PROOF,
    webhookAddresses: settings.WEBHOOK_ADDRESSES,
    visitorDataDays: settings.VISITOR_DATA_DAYS,
    ffmpegPath: findFfmpeg(settings.FFMPEG_PATH, env.PATH),
    filePaths: list(settings.FILE_PATHS),
    fileOrigins: list(settings.FILE_ORIGINS).map((origin) => new URL(origin).origin),
    frame: frameOf(settings, settings.APP_MODE),
    trustedProxies: list(settings.TRUSTED_PROXIES),
    metricsToken: settings.METRICS_TOKEN,
    drainSeconds: settings.DRAIN_SECONDS,
    logLevel: settings.LOG_LEVEL,
  };
}

function roleFaults(settings: Environment): string[] {
  const { ROLE, API_BASE_URL, DATABASE_URL, SITE_URL } = settings;
  const faults: string[] = [];
  if (SITE_URL && !isHttp(SITE_URL)) faults.push("SITE_URL is not an http(s) URL");
  else if (SITE_URL && !isOrigin(SITE_URL))
    faults.push("SITE_URL has more than a host: the site is served at the root");
  faults.push(...strangeProxies(list(settings.TRUSTED_PROXIES)));
  if (ROLE === "web" && !API_BASE_URL) faults.push("API_BASE_URL is missing: ROLE=web has no embedded upstream");
  if (ROLE === "worker" && !DATABASE_URL) {
    faults.push("DATABASE_URL is missing: ROLE=worker needs a PostgreSQL that it shares with ROLE=api");
  }
  if (DATABASE_URL && !/^postgres(ql)?:\/\//.test(DATABASE_URL)) faults.push("DATABASE_URL is not a postgres:// URL");
  const installed = findInstalledModels(resolve(settings.DATA_DIR));
  faults.push(...speechFaults(settings, installed), ...frameFaults(settings));
  // A web is not given what is the upstream's alone.
  if (hasUpstream(settings))
    faults.push(...[smsFaults, storageFaults, paymentFaults].flatMap((find) => find(settings)));
  const unfit = list(settings.FILE_PATHS).filter((path) => !isFilePath(path));
  faults.push(...unfit.map((path) => `FILE_PATHS has ${JSON.stringify(path)}, which is no folder of files: /uploads/`));
  const strange = list(settings.FILE_ORIGINS).filter((origin) => !isHttp(origin));
  faults.push(...strange.map((origin) => `FILE_ORIGINS has ${JSON.stringify(origin)}, which is no origin`));
  if (API_BASE_URL && !isHttp(API_BASE_URL)) faults.push("API_BASE_URL is not an http(s) URL");
  return faults;
}

function productionFaults(settings: Environment): string[] {
  const faults: string[] = [];
  if (servesPages(settings.ROLE)) {
    if (!settings.SITE_URL) faults.push("SITE_URL is missing: the https address people see");
    else if (settings.SITE_URL.startsWith("http://")) faults.push("SITE_URL is not https");
    if (list(settings.SESSION_SECRET).length === 0) {
      faults.push("SESSION_SECRET is missing: make one with `openssl rand -hex 32`");
    }
  }
  if (hasUpstream(settings)) faults.push(...upstreamFaults(settings));
  faults.push(...secretFaults(settings), ...wideProxies(list(settings.TRUSTED_PROXIES)));
  if (settings.API_BASE_URL && !settings.APP_ID) faults.push("APP_ID is missing: API_BASE_URL's operator gives it");
  if (!settings.API_BASE_URL && !settings.DATABASE_URL) {
    faults.push("DATABASE_URL is missing: the built-in database does not survive a power cut");
  }
  return faults;
}

function upstreamFaults({ ROLE, DATA_KEY, SMS_PROVIDER }: Environment): string[] {
  const faults: string[] = [];
  if (!DATA_KEY) faults.push("DATA_KEY is missing: make one with `openssl rand -hex 32` and never change it");
  if (!SMS_PROVIDER && ROLE !== "worker") faults.push("SMS_PROVIDER is missing: aliyun or tencent brings login codes");
  return faults;
}

/** Demo mode creates and keeps its secrets, so that sessions and accounts outlive a restart. */
function keptSecret(dataDir: string, name: string): string {
  const path = join(dataDir, name);
  try {
    writeFileSync(path, randomBytes(32).toString("hex"), { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const secret = readFileSync(path, "utf8").trim();
  if (secret === "") throw new ConfigError([`${path} is empty: delete it, and a new secret is made`]);
  return secret;
}
