import type { Logger } from "pino";
import type { Config } from "../../config";
import { createAccounts } from "../accounts/accounts";
import { createAccountKeys } from "../accounts/credentials";
import { createExport } from "../accounts/export";
import { createOwnership } from "../accounts/ownership";
import { zip } from "../accounts/zip";
import type { Db } from "../db/database";
import { createOnce } from "../db/idempotency";
import { createRateLimit } from "../db/rate-limit";
import { personalRole } from "../db/seed/seed";
import { createDubExport } from "../generations/dubs/export";
import { createTaskEvents } from "../generations/events";
import { createTrialJob } from "../generations/trials/trial-job";
import { createTrials, trialKind } from "../generations/trials/trials";
import { createQueue } from "../jobs/queue";
import { createDiskStore } from "../media/disk";
import { createMediaFiles } from "../media/files";
import { encodeImage } from "../media/image";
import { readLabels } from "../media/label/label";
import { createS3Store } from "../media/s3";
import { linkFile, openServed, serveFile } from "../media/serve";
import { createBlobs } from "../media/store";
import type { SmsSender } from "../sms/sender";
import { createPreviews } from "../square/previews";
import { createSquare } from "../square/roles";
import { createPrints } from "../verify/prints";
import { createVerify } from "../verify/verify";
import { createPortraits } from "../voices/portraits";
import type { SpeechParts } from "../voices/ports";
import { createProfiles } from "../voices/profiles";
import { createRecordings } from "../voices/recordings";
import { createRenditions } from "../voices/renditions";
import { createUsableRoles } from "../voices/roles/usable";
import { createSegmentCache } from "../voices/segments";
import { createSpeaker } from "../voices/speaker";
import { createTurns } from "../voices/turns";
import { keepable, recordsOf } from "./export";
import { createStudio } from "./generations";
import { createMoney } from "./money";
import { createSweep } from "./sweep";

export type UpstreamConfig = Pick<
  Config,
  "dataDir" | "databaseUrl" | "dataKey" | "sms" | "appId" | "logLevel" | "mode" | "siteUrl"
> &
  Partial<Pick<Config, "storage" | "visitorDataDays" | "speech" | "payments">>;

/** Who answers for generated content in every file's label. */
const producer = "shengxiang";

interface Given {
  speech: SpeechParts;
  sender: SmsSender | undefined;
  mediaDirectory: string;
  /** Names a new temporary file, in a folder that exists. */
  temporaryPath(): string;
  config: UpstreamConfig;
  log: Logger;
}

/** Files of up to 50 MB in memory. */
const verifiedAtOnce = 2;

const warning = (log: Logger, message: string) => (error: unknown) => log.warn({ err: error }, message);

/** Builds every part of the upstream and chooses every adapter; `services.ts` opens what they stand on. */
export async function createParts(db: Db, { speech, sender, mediaDirectory, temporaryPath, config, log }: Given) {
  const store = config.storage ? createS3Store(config.storage) : await createDiskStore(mediaDirectory);
  const files = createMediaFiles({ db, store, producer });
  const once = createOnce(db);
  const rate = createRateLimit(db);
  const queue = createQueue();
  const segments = createSegmentCache({ db, blobs: createBlobs(store) });
  const profiles = createProfiles({ db, files, segments, speech });
  const prints = createPrints(db);
  const renditions = createRenditions({ db, files, speech, prints });
  const speak = createSpeaker({ speech, segments });
  const recordings = createRecordings({ db, once, files, segments, speech });
  const money = await createMoney({ db, queue, once }, { config, log });
  const tierOf = async (accountId: string) => (await money.billing.membership(accountId)).tier;
  const events = createTaskEvents({ db, onError: warning(log, "events could not be looked for") });
  const { tell } = events;
  const roles = createUsableRoles(db);
  const trials = createTrials({ db, once, queue, recordings, speech, tierOf, tell, roles });
  const speaking = { db, queue, speech, profiles, speak, renditions };
  const { billing } = money;
  const making = {
    ...{ once, files, recordings, billing, events },
    usable: roles,
    segments,
    hitRate: rate.hit,
    beginning: personalRole,
    temporaryPath,
  };
  const studio = createStudio({ ...speaking, ...making });
  const ownership = createOwnership({
    keepers: [...studio.keepers, trials, recordings, renditions, billing.closing],
    answers: once,
    files,
    removeStale: segments.sweep,
  });
  const keys = createAccountKeys(config.dataKey);
  const accounts = createAccounts({ db, once, queue, keys, sender, ownership, trials, hitRate: rate.hit });
  const exportAccount = createExport({
    db,
    keys,
    openFile: (file) => openServed(store, file),
    filesOf: (owner) => keepable(owner, { files, renditions }),
    records: { ...recordsOf(billing, { recordings, trials }), ...studio.records },
  });
  return {
    store,
    queue,
    money,
    previews: createPreviews(speaking),
    handlers: { [trialKind]: createTrialJob({ ...speaking, tell, roles }), ...studio.handlers },
    api: {
      ...studio.api,
      findPolyphones: speech.findPolyphones,
      exportDub: createDubExport({ db, files, findFile: files.find, openFile: (file) => openServed(store, file), zip }),
      square: createSquare(db),
      recordings,
      portraits: createPortraits({ once, files, encodeImage }),
      trials,
      accounts,
      exportAccount,
      billing,
      cashier: money.cashier,
      renditions,
      findFile: files.find,
      serveFile: serveFile.bind(null, store),
      linkFile: linkFile.bind(null, store),
      verify: createVerify({ db, prints, readLabels, speech, inTurn: createTurns(verifiedAtOnce) }).verify,
      hitRate: rate.hit,
    },
    sweep: createSweep({
      db,
      once,
      rate,
      queue,
      segments,
      accounts,
      studio,
      files,
      renditions,
      speech,
      prints,
      config,
    }),
  };
}
