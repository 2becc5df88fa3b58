import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeWav } from "~server/speech/recording/formats/wav";
import { createServices, type Overrides, type Services, type UpstreamConfig } from "~server/upstream/compose/services";
import { type Db, openDatabase } from "~server/upstream/db/database";
import { type Bucket, openBucket } from "./bucket";
import { createTestPlace, type TestEngine, type TestPlace } from "./database";
import { type Sound, speechLike, toPcm } from "./sounds";
import { bytesInBucket, bytesOnDisk, type StoredBytes } from "./stored-bytes";
import { createToneSpeech, type ToneSpeech } from "./tone-engine";

interface Answer<Data = Record<string, unknown>> {
  status: number;
  code: number;
  msg: string;
  data: Data;
}

export interface TestUpstream {
  services: Services;
  speech: ToneSpeech;
  dataDir: string;
  /** PostgreSQL is combined with a bucket, the embedded database with the disk. */
  bucket: Bucket | null;
  bytes: StoredBytes;
  database(): Db;
  /** Starts another server on the same data; PostgreSQL only. */
  another(): Promise<Services>;
  /** Stops it gracefully and restarts it on the same data, with changed settings. */
  restart(change?: Partial<UpstreamConfig>): Promise<void>;
  close(): Promise<void>;
}

export const appId = "test-app";

/** Settings of a demo server. */
export const testConfig = (dataDir: string): UpstreamConfig => ({
  dataDir,
  databaseUrl: undefined,
  dataKey: "a key for tests that is long enough",
  sms: undefined,
  appId,
  logLevel: "silent",
  mode: "demo",
  siteUrl: null,
});

/** The whole upstream on a database, a new one by default, with the tone engine and a fast queue. */
export async function openTestUpstream(
  engine: TestEngine,
  overrides: Overrides = {},
  { opened, settings = {} }: { opened?: TestPlace; settings?: Partial<UpstreamConfig> } = {},
): Promise<TestUpstream> {
  const { place, remove } = opened ?? (await createTestPlace(engine));
  const dataDir = await mkdtemp(join(tmpdir(), "test-upstream-"));
  const bucket = engine === "postgres" ? await openBucket() : null;
  const speech = createToneSpeech();
  const config: UpstreamConfig = {
    ...testConfig(dataDir),
    voiceProof: "recorded",
    storage: bucket ? { ...bucket.numbered, linkSeconds: 300 } : undefined,
    ...settings,
  };
  const worker = { pollMs: 100, heartbeatMs: 50, backoffSeconds: 0.05, sweepMs: 100, ...overrides.worker };
  const open = async () => {
    const database = await openDatabase(place);
    const services = await createServices(config, { speech, previews: false, ...overrides, worker, database });
    const close = async () => {
      await services.close();
      await database.close();
    };
    return { services, database, close };
  };
  let main = await open();
  const others: Array<Awaited<ReturnType<typeof open>>> = [];
  const upstream: TestUpstream = {
    services: main.services,
    speech,
    dataDir,
    bucket,
    bytes: bucket ? bytesInBucket(bucket.directory) : bytesOnDisk(dataDir),
    database: () => main.database.db,
    async another() {
      const other = await open();
      others.push(other);
      return other.services;
    },
    async restart(change = {}) {
      await main.close();
      Object.assign(config, change);
      main = await open();
      upstream.services = main.services;
    },
    async close() {
      await Promise.all(others.map((other) => other.close()));
      await main.close();
      await bucket?.close();
      await remove();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return upstream;
}

export interface Visitor {
  id: string;
  address: string;
  get<Data = Record<string, unknown>>(path: string, headers?: HeadersInit): Promise<Answer<Data>>;
  post<Data = Record<string, unknown>>(path: string, body: unknown, headers?: HeadersInit): Promise<Answer<Data>>;
  upload<Data = Record<string, unknown>>(path: string, form: FormData, headers?: HeadersInit): Promise<Answer<Data>>;
  /** Reads a served file. */
  file(url: string, headers?: HeadersInit): Promise<Response>;
  /** Returns only the status and closes the body, since an unread body keeps its file open. */
  statusOf(url: string, headers?: HeadersInit): Promise<number>;
  head(url: string): Promise<Response>;
}

let lastAddress = 0;

/** A new visitor with its own address by default. */
export function createVisitor(
  services: Services,
  { id = randomUUID() as string, address = nextAddress() } = {},
): Visitor {
  const base = { appid: appId, token: "", "x-visitor-id": id, "x-forwarded-for": address };
  const send = async (path: string, init: RequestInit, headers: HeadersInit = {}) => {
    const merged = new Headers(base);
    for (const [name, value] of new Headers(headers)) merged.set(name, value);
    for (const [name, value] of new Headers(init.headers)) merged.set(name, value);
    return services.fetch(new Request(`http://upstream${path}`, { ...init, headers: merged }));
  };
  const answer = async <Data>(response: Promise<Response>): Promise<Answer<Data>> => {
    const received = await response;
    return { status: received.status, ...((await received.json()) as Omit<Answer<Data>, "status">) };
  };
  const json = { "content-type": "application/json" };
  return {
    id,
    address,
    get: (path, headers) => answer(send(`/api/v1${path}`, {}, headers)),
    post: (path, body, headers) =>
      answer(send(`/api/v1${path}`, { method: "POST", body: JSON.stringify(body), headers: json }, headers)),
    upload: (path, form, headers) => answer(send(`/api/v1${path}`, { method: "POST", body: form }, headers)),
    file: (url, headers) => send(url, {}, headers),
    async statusOf(url, headers) {
      const { status, body } = await send(url, {}, headers);
      await body?.cancel();
      return status;
    },
    head: (url) => send(url, { method: "HEAD" }),
  };
}

function nextAddress(): string {
  lastAddress++;
  return `198.51.${lastAddress >> 8}.${lastAddress & 255}`;
}

/** The upload form of a visitor's browser: a recording as a WAV file. */
export function recordingForm(sound: Sound = speechLike({ seconds: 6, seed: 3 }), name = "我的录音.wav"): FormData {
  const form = new FormData();
  form.append("file", new Blob([encodeWav(toPcm(sound), sound.sampleRate)], { type: "audio/wav" }), name);
  return form;
}
