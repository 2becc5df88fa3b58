import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { Logger } from "pino";
import { videoPictureMaxPx } from "~server/contract/limits";
import { drawPortrait } from "~server/portrait/drawing";
import { parsePortrait } from "~server/portrait/parameters";
import { restPose } from "~server/portrait/pose";
import type { Config } from "../../config";
import { convertSound } from "../../speech/index";
import { createApiKeys } from "../accounts/api-keys";
import { zip } from "../accounts/export";
import { createMarkAgreements } from "../accounts/mark-agreements";
import { createStorage } from "../accounts/storage";
import type { Db } from "../db/database";
import { createOnce } from "../db/idempotency";
import { createRateLimit } from "../db/rate-limit";
import type { FilmMaker } from "../film/film";
import { createFilmMaker } from "../film/maker";
import { createSoundTrackDecoder, type DecodeSoundTrack } from "../film/sound-track";
import { createFollowSpeech } from "../generations/clones/follow";
import { createBooks } from "../generations/dubs/books";
import { createDubExport } from "../generations/dubs/export";
import { createAddMusic } from "../generations/dubs/music";
import { createQueue, type Queue } from "../jobs/queue";
import { createDiskStore } from "../media/disk";
import { createMediaFiles, type MediaFile, type MediaFiles } from "../media/files";
import { encodeImage, toJpeg } from "../media/image";
import { labelRoom } from "../media/label/container";
import { signedTextOf } from "../media/label/content";
import { readLabels } from "../media/label/label";
import { createLoopEncoder } from "../media/loop";
import { createOutlines } from "../media/outlines";
import { createS3Store } from "../media/s3";
import { linkFile, openServed, serveFile } from "../media/serve";
import { createBlobs, type MediaStore } from "../media/store";
import { Projects } from "../projects/projects";
import { deriveKey } from "../sealing";
import { createShareFiles } from "../shares/files";
import type { Shares } from "../shares/shares";
import { createSigningKey } from "../signing";
import type { SmsSender } from "../sms/sender";
import { createSquare } from "../square/roles";
import { createReceiptJudge, createSignatures, type Signatures } from "../verify/signatures";
import { createVerify } from "../verify/verify";
import { createConversions } from "../voices/conversions";
import { createPortraits } from "../voices/portraits";
import type { SpeechParts } from "../voices/ports";
import { createWebhooks } from "../webhooks/webhooks";
import { createGenerations, type Generations } from "./generations";
import { createMoney } from "./money";
import { createAccountParts } from "./ownership";
import { createProofParts } from "./proofs";
import { createMessages } from "./sms";
import { createProfileKeyring, createVoices, type VoiceSet } from "./voices";

export type UpstreamConfig = Partial<Config> &
  Pick<Config, "dataDir" | "databaseUrl" | "dataKey" | "sms" | "appId" | "logLevel" | "mode" | "siteUrl">;

/** The producer in every file's AI-content label. */
const producer = "shengxiang";

const convert = (wav: Readable, request: Omit<Parameters<typeof convertSound>[1], "labelRoom">) =>
  convertSound(wav, { ...request, labelRoom });
/** Pixels of a cover's longer side. */
const coverMaxPx = 1400;
const toCover = (bytes: Uint8Array) => toJpeg(bytes, coverMaxPx);

interface PartsOptions {
  speech: SpeechParts;
  sender: SmsSender | undefined;
  /** Instead of the one of the settings. */
  films: FilmMaker | undefined;
  mediaDirectory: string;
  /** Names a new temporary file in an existing folder. */
  temporaryPath(): string;
  config: UpstreamConfig;
  log: Logger;
}

/** Builds every part of the upstream and chooses every adapter; `services.ts` opens the database and the speech engine. */
export async function createParts(
  db: Db,
  { speech, sender, films, mediaDirectory, temporaryPath, config, log }: PartsOptions,
) {
  const store = config.storage ? createS3Store(config.storage) : await createDiskStore(mediaDirectory);
  const key = createSigningKey(deriveKey(config.labelKey || config.dataKey, "label signature"));
  const signatures = await createSignatures({ db, key });
  const files = createMediaFiles({ db, store, producer, sign: signatures.sign });
  const once = createOnce(db);
  const rate = createRateLimit(db);
  const queue = createQueue();
  const hitRate = rate.hit;
  const openFile = (file: MediaFile) => openServed(store, file);
  const keyring = createProfileKeyring(config);
  const money = await createMoney({ db, queue, once }, { config, log });
  const { billing } = money;
  const tierOf = async (accountId: string) => (await billing.membership(accountId)).tier;
  const markAgreements = createMarkAgreements({ db, tierOf });
  const { isWaived } = markAgreements;
  const messages = createMessages({ db, queue, once, hitRate, sender, log }, billing, config);
  const voices = createVoices({
    ...{ db, once, queue, files, keyring, speech, isWaived },
    blobs: createBlobs(store),
    ffmpegPath: config.ffmpegPath,
  });
  const conversions = createConversions({ db, files, openFile, convert, prints: voices.prints, temporaryPath });
  const encodeBook = createBooks({ files, openFile, toCover, convert, temporaryPath });
  const forDevelopers = createDeveloperParts({ db, queue }, config);
  const projects = new Projects(db, once);
  const isProofRequired = config.voiceProof === "required";
  const generations = createGenerations({
    ...{ db, once, queue, files, speech, voices, billing, isProofRequired, temporaryPath, hitRate, log },
    ...forDevelopers,
    films: films ?? createFilmMaker(config),
    sign: signatures.sign,
  });
  const decodeSoundTrack = createSoundTrackDecoder(config.ffmpegPath);
  const verify = createVerifyPart({ db, speech, signatures, decodeSoundTrack }, voices, generations);
  const proof = createProofParts({
    ...{ db, queue, files, speech, voices, verify, hitRate },
    revocations: generations.revocations,
    dataKey: config.dataKey,
    isRequired: isProofRequired,
  });
  const { accounts, users, exportAccount } = createAccountParts({
    ...{ db, once, queue, files, openFile, sender, hitRate, voices, generations, billing, dataKey: config.dataKey },
    ...{ markAgreements, messages, consentLinks: proof.consentLinks, projects, ...forDevelopers },
  });
  return {
    ...{ once, rate, store, queue, money, accounts, users, voices, conversions, generations },
    ...{ ...forDevelopers, hitRate, exportAccount, readStorage: createStorage(db), markAgreements, messages },
    ...{ projects, proof },
    square: createSquare(db),
    followSpeech: createFollowSpeech({ db, files, speech, isWaived, ...voices }),
    addMusic: createAddMusic({ once, files, speech }),
    portraits: createPortraits({ once, files, encoders: createEncoders(config) }),
    exportDub: createDubExport({ db, files, findFile: files.find, openFile, encodeBook, zip }),
    verify: verify.verify,
    files: {
      ...files,
      serve: serveFile.bind(null, store),
      link: linkFile.bind(null, store),
      ofShares: createSharedFiles(generations.shares, files, store, config),
    },
  };
}

const createEncoders = ({ ffmpegPath }: { ffmpegPath?: string | undefined }) => ({
  image: (bytes: Uint8Array) => encodeImage(bytes),
  picture: (bytes: Uint8Array) => encodeImage(bytes, videoPictureMaxPx),
  loop: createLoopEncoder(ffmpegPath),
});

export type UpstreamParts = Awaited<ReturnType<typeof createParts>>;

const createDeveloperParts = (
  { db, queue }: { db: Db; queue: Queue },
  { dataKey, webhookAddresses: allowed = "public" }: UpstreamConfig,
) => ({ apiKeys: createApiKeys({ db, dataKey }), webhooks: createWebhooks({ db, queue, dataKey, allowed }) });

interface VerifyGiven {
  db: Db;
  speech: SpeechParts;
  signatures: Signatures;
  decodeSoundTrack: DecodeSoundTrack;
}

/** Labels of other producers are foreign. */
function createVerifyPart(
  { db, speech, signatures, decodeSoundTrack }: VerifyGiven,
  { prints }: VoiceSet,
  { revocations }: Generations,
) {
  return createVerify({
    db,
    prints,
    readLabels,
    judgeLabel: async (label) =>
      label.ContentProducer === producer ? signatures.judge(signedTextOf(label), label.ReservedCode1) : "foreign",
    judgeReceipt: createReceiptJudge({ signatures, findReceipt: revocations.findReceipt }),
    speech,
    decodeSoundTrack,
  });
}

/** The sounds and preview pictures of public pages. */
const createSharedFiles = (shares: Shares, files: MediaFiles, store: MediaStore, { siteName }: UpstreamConfig) =>
  createShareFiles({
    shares,
    files,
    readRange: async ({ storage_key }, start, end) => buffer(await store.open(storage_key, { start, end })),
    createOutlines,
    drawPortrait(parameters) {
      const portrait = parsePortrait(parameters);
      return portrait && drawPortrait(portrait, restPose, "large");
    },
    siteName: siteName ?? "",
  });
