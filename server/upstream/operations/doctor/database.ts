import { sql } from "kysely";
import type { Db } from "../../db/database";
import { type Finding, fail, ok, warn } from "./finding";

interface Opened {
  db: Db;
  engine: "embedded" | "postgres";
  pending: string[];
}

const oldestPostgres = 14;
const clockSkewMs = { warn: 2_000, fail: 30_000 };

/** The server and its version, the schema, and its clock beside ours: leases and payments are timed by both. */
export async function examineDatabase(
  { db, engine, pending }: Opened,
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
  const told = `${Math.abs(Math.round(skewMs))} ms ${skewMs < 0 ? "behind" : "ahead"} at the database`;
  if (Math.abs(skewMs) > clockSkewMs.fail) return fail("clock", told, "set both machines' clocks by NTP");
  return Math.abs(skewMs) > clockSkewMs.warn
    ? warn("clock", told, "set both machines' clocks by NTP")
    : ok("clock", told);
}
