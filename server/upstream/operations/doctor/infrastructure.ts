import { randomUUID } from "node:crypto";
import { statfs } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { sql } from "kysely";
import type { PreparedText, SpeechEngine } from "../../../speech/engine";
import type { Db } from "../../db/database";
import type { MediaStore } from "../../media/store";
import type { Keyring } from "../../sealing";
import { type Finding, fail, ok, warn } from "./finding";

const oldestPostgres = 14;
const clockSkewMs = { warn: 2_000, fail: 30_000 };

/** The server's version, its schema, and the difference of the clocks, since leases and payments depend on both. */
export async function examineDatabase(
  { db, engine, pending }: { db: Db; engine: "embedded" | "postgres"; pending: string[] },
  mode: "demo" | "production",
): Promise<Finding[]> {
  const askedAt = Date.now();
  const { rows } = await sql<{ version: string; number: string; now: Date }>`
    select version() as version, current_setting('server_version_num') as number, clock_timestamp() as now`.execute(db);
  const roundTripMs = Date.now() - askedAt;
  const row = rows[0];
  if (!row) return [fail("database", "it answered nothing", "look at its log")];
  const version = row.version.split(" ").slice(0, 2).join(" ");
  return [
    toVersion({ engine, version, number: Number(row.number), mode }),
    toSchema(pending),
    toClock(row.now.getTime() - askedAt - roundTripMs / 2),
  ];
}

function toVersion(found: { engine: string; version: string; number: number; mode: string }): Finding {
  const { engine, version, number, mode } = found;
  if (engine === "embedded" && mode === "production")
    return warn("database", `embedded ${version}`, "set DATABASE_URL: the built-in one does not survive a power cut");
  if (number < oldestPostgres * 10_000) return warn("database", version, `use PostgreSQL ${oldestPostgres} or newer`);
  return ok("database", engine === "embedded" ? `embedded, ${version}` : version);
}

const toSchema = (pending: string[]): Finding =>
  pending.length === 0
    ? ok("schema", "up to date")
    : warn("schema", `${pending.length} to come: ${pending.join(", ")}`, "npm run ops -- migrate, or start a server");

export function toClock(skewMs: number): Finding {
  const message = `${Math.abs(Math.round(skewMs))} ms ${skewMs < 0 ? "behind" : "ahead"} at the database`;
  if (Math.abs(skewMs) > clockSkewMs.fail) return fail("clock", message, "set both machines' clocks by NTP");
  return Math.abs(skewMs) > clockSkewMs.warn
    ? warn("clock", message, "set both machines' clocks by NTP")
    : ok("clock", message);
}

/** Whether the settings hold the keys of all voice profiles. */
export async function examineProfiles(db: Db, keyring: Pick<Keyring, "keyOf">): Promise<Finding[]> {
  const { rows } = await sql<{ key: Buffer; count: number }>`
    select substring(profile_sealed from 1 for 4) as key, count(*)::int as count from recording
    where profile_sealed is not null group by 1`.execute(db);
  return rows.map(({ key, count }) =>
    keyring.keyOf(key) === "missing"
      ? fail("profiles", `${count} need key ${key.toString("hex")}`, "restore the DATA_KEY or PROFILE_KEY they had")
      : ok("profiles", `${count} under the ${keyring.keyOf(key)} key`),
  );
}

const giga = 2 ** 30;
const room = { warn: 5 * giga, fail: giga / 2 };

/** Writes, reads and deletes a small file. */
export async function examineStorage(store: MediaStore, where: string): Promise<Finding[]> {
  const key = `doctor/${randomUUID()}.bin`;
  const bytes = Buffer.from(key);
  const todo = "the store must give back what it was given";
  await store.put(key, bytes, bytes.length);
  try {
    const back = await buffer(await store.open(key));
    if (!back.equals(bytes)) return [fail("storage", `${where}: other bytes came back`, todo)];
  } finally {
    await store.remove(key);
  }
  if ((await store.size(key)) !== null) return [fail("storage", `${where}: a deleted file is still there`, todo)];
  return [ok("storage", `${where}: put, read, deleted`)];
}

/** Uploads are written to DATA_DIR first, also with a bucket. */
export async function examineDisk(directory: string): Promise<Finding[]> {
  const { bavail, bsize } = await statfs(directory);
  return [toRoom(Number(bavail) * Number(bsize), directory)];
}

export function toRoom(free: number, directory: string): Finding {
  const message = `${(free / giga).toFixed(1)} GiB free at ${directory}`;
  if (free < room.fail) return fail("disk", message, "make room: uploads are refused when it is full");
  return free < room.warn ? warn("disk", message, "make room") : ok("disk", message);
}

interface Speaking {
  engine(): Promise<SpeechEngine>;
  prepareText(text: string): Promise<PreparedText>;
}

const plain = { pitchHz: 180, pitchSpreadSt: 3, tract: 1, breath: 0.1, tilt: 0, rate: 1 };

/** Synthesises one word with a designed voice. */
export async function examineSpeech({ engine, prepareText }: Speaking, signal: AbortSignal): Promise<Finding[]> {
  const startedAt = performance.now();
  const speaker = await engine();
  const name = `${speaker.id} ${speaker.version}`;
  if (!speaker.design) return [warn("speech", `${name} designs no voices`, "try a role of your own on the page")];
  const request = { text: await prepareText("你好"), voice: speaker.design(plain), speed: 1 };
  let seconds = 0;
  for await (const { pcm, sampleRate } of speaker.synthesize(request, signal)) seconds += pcm.length / sampleRate;
  const tookMs = Math.round(performance.now() - startedAt);
  if (seconds === 0) return [fail("speech", `${name} said nothing`, "look at the engine's log")];
  return [ok("speech", `${name}: ${seconds.toFixed(1)} s of sound in ${tookMs} ms`), ...(await toProbe(speaker))];
}

async function toProbe(speaker: SpeechEngine): Promise<Finding[]> {
  if (!speaker.probe || (await speaker.probe())) return [];
  return [
    warn("speech", `${speaker.id}: a server does not answer`, "see SPEECH_ENGINES and /metrics speech_engine_up"),
  ];
}
