import { randomInt } from "node:crypto";
import { sql } from "kysely";
import type { SpeechEngine } from "../../speech/engine";
import type { Db } from "../db/database";

/** Voices that hosted engines keep outside of this product; see docs/decisions/0050-hosted-engines.md. */
export type VendorVoices = ReturnType<typeof createVendorVoices>;

interface VendorVoiceParts {
  db: Db;
  speech: { engine(): Promise<Pick<SpeechEngine, "forgetVoice">> };
}

const letters = "abcdefghijklmnopqrstuvwxyz0123456789";
/** DashScope takes nine characters at most, MiniMax a letter first and eight characters at least. */
const createName = () => `s${Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join("")}`;

const deletionsAtOnce = 20;
/** One hour, then twice as long each time, two weeks at most. */
const retryAfter = sql<Date>`now() + least(interval '1 hour' * power(2, least(attempts, 9)), interval '14 days')`;

export function createVendorVoices({ db, speech }: VendorVoiceParts) {
  return {
    /** Records a new name for a voice of this recording, before the vendor hears it. */
    async reserve(recordingId: string, engine: string): Promise<string> {
      const name = createName();
      await db.insertInto("vendor_voice").values({ name, engine, recording_id: recordingId }).execute();
      return name;
    },
    /** Gives up the recording's voices whose names do not occur in its stored profile. */
    async keepOnly(trx: Db, recordingId: string, profile: string) {
      await trx
        .updateTable("vendor_voice")
        .set({ recording_id: null })
        .where("recording_id", "=", recordingId)
        .where(sql<boolean>`position(name in ${profile}) = 0`)
        .execute();
    },
    /** Gives up voices whose enrolment failed. */
    async giveUp(names: readonly string[]) {
      if (names.length === 0) return;
      await db.updateTable("vendor_voice").set({ recording_id: null }).where("name", "in", names).execute();
    },
    /** Deletes at the vendors what was given up or has lost its recording; what fails is tried again later. */
    async sweep() {
      const due = await db
        .selectFrom("vendor_voice")
        .select(["name", "engine"])
        .where("recording_id", "is", null)
        .where("due_at", "<=", sql<Date>`now()`)
        .orderBy("due_at")
        .limit(deletionsAtOnce)
        .execute();
      if (due.length === 0) return;
      const engine = await speech.engine();
      for (const { name, engine: vendor } of due) {
        const row = { name, vendor };
        await ((await isForgotten(engine, row))
          ? db.deleteFrom("vendor_voice").where("name", "=", name)
          : db
              .updateTable("vendor_voice")
              .set({ due_at: retryAfter, attempts: sql<number>`attempts + 1` })
              .where("name", "=", name)
        ).execute();
      }
    },
  };
}

/** False also for an engine that is no longer configured: its key may return. */
async function isForgotten(
  engine: Pick<SpeechEngine, "forgetVoice">,
  { name, vendor }: { name: string; vendor: string },
): Promise<boolean> {
  if (!engine.forgetVoice) return false;
  return engine.forgetVoice(vendor, name).then(
    () => true,
    () => false,
  );
}
