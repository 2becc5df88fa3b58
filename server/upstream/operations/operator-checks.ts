import { randomInt } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { type Config, ConfigError, readConfig } from "../../config";
import { isSimulated, usableEngines } from "../../settings/installed";
import { modelSets } from "../../speech/models/manifest";
import { maskPhone } from "../accounts/credentials";
import { createGateways } from "../compose/gateways";
import { createSender } from "../compose/sms";
import { createSpeech, examineVendors, faultsOfModels } from "../compose/speech";
import { createProfileKeyring } from "../compose/voices";
import { connectDatabase, migrate, pendingMigrations, placeOf } from "../db/database";
import { findEncoders } from "../film/maker";
import { createDiskStore } from "../media/disk";
import { createS3Store } from "../media/s3";
import type { SmsSender } from "../sms/sender";
import { examined, type Finding, fail, ok, warn } from "./doctor/finding";
import { examineCertificates, examineGateways } from "./doctor/gateways";
import { examineDatabase, examineDisk, examineProfiles, examineSpeech, examineStorage } from "./doctor/infrastructure";

/**
 * Migration and diagnosis. Every part is opened separately, so that a failure of one does not hide another. `connect`
 * returns the open database where this process has it open.
 */
export function createOperatorChecks(env: Record<string, string | undefined>, connect = connectDatabase) {
  return {
    async migrate(): Promise<string[]> {
      const { db, close } = await connect(placeOf(readConfig(env)));
      return migrate(db).finally(close);
    },
    async diagnose(testPhone?: string): Promise<Finding[]> {
      const config = settingsOf(env);
      if (Array.isArray(config)) return config;
      const found: Finding[] = [ok("settings", `mode ${config.mode}, role ${config.role}`)];
      if (config.role === "web" || (config.role === "all" && config.apiBaseUrl)) {
        found.push(...(await examined("upstream", "is API_BASE_URL right, and the api up?", () => examineApi(config))));
        return found;
      }
      found.push(...(await examined("database", databaseTodo(config), () => examineBooks(config, connect))));
      found.push(...(await examined("gateways", "see docs/payments.md", (signal) => askGateways(config, signal))));
      found.push(...(await examined("alipay", "see docs/payments.md", async () => certificatesOf(config))));
      found.push(...(await examined("storage", storageTodo(config), () => examineStore(config))));
      found.push(...(await examined("disk", "DATA_DIR must be a folder this user may write", () => roomAt(config))));
      found.push(
        ...(await examined("speech", "see SPEECH_ENGINES in .env.example", (signal) => tryVoice(config, signal))),
      );
      found.push(
        ...(await examined("vendors", "see docs/engines.md", (signal) => examineVendorAccounts(config, signal))),
      );
      found.push(...(await examined("films", "see FFMPEG_PATH in .env.example", () => examineFilms(config))));
      const sms = async () => [await examineSms({ ...config, testPhone, sender: createSender(config) })];
      found.push(...(await examined("sms", "see Text messages in docs/payments.md", sms)), examineMessages(config));
      return found;
    },
  };
}

function settingsOf(env: Record<string, string | undefined>): Config | Finding[] {
  try {
    return readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults.map((fault) => fail("settings", fault, "see .env.example"));
  }
}

async function examineApi({ apiBaseUrl }: Config): Promise<Finding[]> {
  const answer = await fetch(`${apiBaseUrl}/readyz`, { signal: AbortSignal.timeout(5_000), redirect: "error" });
  return [
    answer.ok ? ok("upstream", "ready") : warn("upstream", `/readyz answers ${answer.status}`, "look at its log"),
  ];
}

const databaseTodo = ({ databaseUrl }: Config) =>
  databaseUrl
    ? "is DATABASE_URL right, and the server up?"
    : "another process holds the built-in database: call as that server's system user, or stop it first";

async function examineBooks(config: Config, connect: typeof connectDatabase): Promise<Finding[]> {
  const { db, engine, close } = await connect(placeOf(config));
  try {
    const pending = await pendingMigrations(db);
    const found = await examineDatabase({ db, engine, pending }, config.mode);
    return pending.length > 0 ? found : [...found, ...(await examineProfiles(db, createProfileKeyring(config)))];
  } finally {
    await close();
  }
}

/** Workers call gateways too. */
const askGateways = async (config: Config, signal: AbortSignal): Promise<Finding[]> => [
  ...(await examineGateways(Object.values(createGateways(config.payments)), config, signal)),
  ...(config.payments.wechatPay && !config.payments.wechatPay.official ? [noOfficialAccount] : []),
];

const noOfficialAccount = ok("wechat", "without WECHAT_OFFICIAL_SECRET payers inside WeChat go on in a browser");

/** Certificates in the settings. WeChat Pay's are fetched, and only the serial of its merchant's is configured. */
function certificatesOf({ payments }: Config): Finding[] {
  const { app, alipay } = payments.alipay?.certificates ?? {};
  const pems = { ...(app && { ALIPAY_APP_CERTIFICATE: app }), ...(alipay && { ALIPAY_CERTIFICATE: alipay }) };
  return examineCertificates("alipay", pems, new Date());
}

const storageTodo = ({ storage }: Config) =>
  storage
    ? "are S3_ENDPOINT, S3_BUCKET and the keys right, and may they put, get and delete?"
    : "may this user write DATA_DIR, and has its disk room?";

async function examineStore({ storage, dataDir }: Config): Promise<Finding[]> {
  if (storage) return examineStorage(createS3Store(storage), `${storage.endpoint}/${storage.bucket}`);
  return examineStorage(await createDiskStore(join(dataDir, "media")), dataDir);
}

async function roomAt({ dataDir }: Config): Promise<Finding[]> {
  await mkdir(dataDir, { recursive: true });
  return examineDisk(dataDir);
}

async function tryVoice(config: Config, signal: AbortSignal): Promise<Finding[]> {
  const speech = createSpeech(config.speech, { withMetrics: (engine) => engine, onChange: () => {} });
  const hints = [...naturalVoices(config), ...unusableModels(config), ...unsaleableVoices(config)];
  return [...hints, ...(await examineSpeech(speech, signal).finally(() => speech.close()))];
}

/** Folders of models that do not speak. */
export function unusableModels({ speech }: Pick<Config, "speech">): Finding[] {
  return faultsOfModels(usableEngines(speech.engines)).map((fault) =>
    fail("voices", fault, "npm run voices -- install zipvoice"),
  );
}

/** Tells how to install natural voices if there are none. */
export function naturalVoices({ speech }: Pick<Config, "speech">): Finding[] {
  return isSimulated(speech.engines)
    ? [ok("voices", "simulated by the embedded engine; natural ones: npm run voices -- install kokoro")]
    : [];
}

/** Models whose licence does not clear what they speak for sale, while money is taken. */
export function unsaleableVoices({ speech, payments }: Pick<Config, "speech" | "payments">): Finding[] {
  if (!payments.wechatPay && !payments.alipay) return [];
  return usableEngines(speech.engines).flatMap((engine) => {
    const served = unsaleableServed(engine);
    if (served) return [warn("speech", `${served}: its weights are not for a paid service`, clearTodo)];
    const name = engine.name === "sherpa" ? basename(engine.folder) : "";
    const set = modelSets[name];
    if (!set || set.mayBeSold === "yes") return [];
    return [warn("speech", `${name}: ${set.licence}`, clearTodo)];
  });
}

/** Keys, voices and what is left at the vendors that speak. */
export async function examineVendorAccounts(
  { speech }: Pick<Config, "speech">,
  signal: AbortSignal,
): Promise<Finding[]> {
  const accounts = await examineVendors(speech.engines, signal);
  return accounts.map(({ message, todo }) => (todo ? warn("vendors", message, todo) : ok("vendors", message)));
}

const clearTodo = "clear it with its authors, or remove it: payments are on";

/** The server's model, where its published licence forbids a paid service; null for others and unknown ones. */
function unsaleableServed(engine: Config["speech"]["engines"][number]): string | null {
  if (engine.name === "fish-speech") return "fish-speech (Fish S2, OpenAudio S1)";
  return engine.name === "openai" && /fish|openaudio|\bs2-pro|f5-?tts/i.test(engine.model) ? engine.model : null;
}

/** Reports the encoder of films. */
export async function examineFilms({ ffmpegPath }: Pick<Config, "ffmpegPath">): Promise<Finding[]> {
  const { mp4, webm } = await findEncoders(ffmpegPath);
  if (mp4?.id === "ffmpeg" && webm) return [ok("films", `MP4 and WebM by ${mp4.path}`)];
  const message = mp4?.id === "ffmpeg" ? `no WebM: ${mp4.path} lacks its encoders` : "MP4 by WebAssembly, no WebM";
  return ffmpegPath ? [warn("films", message, "FFMPEG_PATH needs libx264, aac, VP9 and Opus")] : [ok("films", message)];
}

type SmsExamination = Pick<Config, "sms" | "mode" | "role"> & {
  /** The phone that receives a test code. */
  testPhone?: string | undefined;
  sender?: SmsSender | undefined;
};

/** A provider can only be examined by a message: without a phone for it, nothing is claimed. */
export async function examineSms({ sms, mode, role, testPhone, sender }: SmsExamination): Promise<Finding> {
  if (sms && !testPhone) {
    return warn("sms", `${sms.provider}: not tried, because a try sends a message`, "doctor --sms PHONE sends one");
  }
  if (sms && testPhone) {
    await sender?.send({ phone: testPhone, code: String(randomInt(1_000_000)).padStart(6, "0") });
    return ok("sms", `${sms.provider} took a test code for ${maskPhone(testPhone)}: see that it arrives`);
  }
  if (role === "worker") return ok("sms", "a worker needs none");
  return mode === "demo" ? ok("sms", "demo: the page shows the codes") : fail("sms", "no provider", "set SMS_PROVIDER");
}

/** Which messages payers get besides login codes. */
export function examineMessages({ sms }: Pick<Config, "sms">): Finding {
  const templates = { SMS_TEMPLATE_PAID: sms?.paidTemplate, SMS_TEMPLATE_EXPIRY: sms?.expiryTemplate };
  const unset = Object.entries(templates).flatMap(([name, template]) => (template ? [] : [name]));
  if (unset.length === 0) return ok("messages", "payers are told of payments and of the end of their membership");
  return ok(
    "messages",
    `${unset.length === 2 ? "none to payers" : "one of two to payers"}: ${unset.join(", ")} not set`,
  );
}
