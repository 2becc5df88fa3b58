/**
 * A worker process that tests can kill: works the queue of `DATABASE_URL` with the files of `BUCKET` (JSON), slowly.
 */
import type { S3Settings } from "~server/settings/storage";
import { createServices } from "~server/upstream/compose/services";
import { openDatabase } from "~server/upstream/db/database";
import { createToneSpeech } from "./tone-engine";

const database = await openDatabase({ url: String(process.env.DATABASE_URL) });
const speech = createToneSpeech();
speech.faults.delayMs = 250;
const services = await createServices(
  {
    dataDir: String(process.env.DATA_DIR),
    databaseUrl: process.env.DATABASE_URL,
    dataKey: "a key for tests that is long enough",
    sms: undefined,
    appId: "",
    logLevel: "silent",
    mode: "demo",
    siteUrl: null,
    voiceProof: "recorded",
    storage: JSON.parse(String(process.env.BUCKET)) as S3Settings,
  },
  { speech, previews: false, database, worker: { pollMs: 50, leaseSeconds: 2, heartbeatMs: 500 } },
);
services.startWorker();
process.send?.("working");
