import { createHash } from "node:crypto";
import type { SpeechEngine } from "../../speech/engine";
import type { Db } from "../db/database";
import type { JobHandler } from "../jobs/handler";
import type { Queue } from "../jobs/queue";
import type { SpeechParts } from "../voices/ports";
import type { Profiles } from "../voices/profiles";
import type { Renditions } from "../voices/renditions";
import type { Speak } from "../voices/speaker";

interface PreviewParts {
  db: Db;
  queue: Queue;
  speech: Pick<SpeechParts, "engine">;
  profiles: Pick<Profiles, "ofRole">;
  speak: Speak;
  renditions: Renditions;
}

const previewPriority = -10;
const kind = "preview";

const findRole = (db: Db, id: string) =>
  db
    .selectFrom("role")
    .select(["preview_text", "preview_key", "preview_id", "design"])
    .where("id", "=", id)
    .executeTakeFirst();

/** The previews of the seeded roles, spoken at the first start. */
export function createPreviews(parts: PreviewParts) {
  const { db, queue, speech, profiles, speak, renditions } = parts;

  const enqueue = async () => {
    const engine = await speech.engine();
    const roles = await db
      .selectFrom("role")
      .select(["id", "preview_text", "preview_key", "design"])
      .where("owner", "is", null)
      .where("design", "is not", null)
      .orderBy("home_rank")
      .execute();
    for (const role of roles) {
      if (role.preview_key === keyOf(engine, role)) continue;
      await queue.enqueue(db, { kind, key: role.id, payload: { roleId: role.id }, priority: previewPriority });
    }
    queue.wake();
  };

  const job: JobHandler<{ roleId: string }> = {
    async run({ roleId }, { signal }) {
      const role = await findRole(db, roleId);
      const key = role && keyOf(await speech.engine(signal), role);
      if (!role || role.preview_key === key) return undefined;
      const voice = await profiles.ofRole(roleId, { signal });
      const sound = await speak(
        { content: role.preview_text, voice, speed: 1 },
        { signal, onProgress: async () => {} },
      );
      const rendition = await renditions.make(sound, { owner: null, exports: false, signal });
      return {
        facts: renditions.factsOf(rendition, [role.preview_text]),
        async write(trx) {
          // A stand-in's preview is made again at the next start.
          const preview_key = sound.isFallback ? null : key;
          const change = { preview_id: await renditions.insert(trx, rendition), preview_key };
          await trx.updateTable("role").set(change).where("id", "=", roleId).execute();
        },
        async written() {
          if (role.preview_id) await renditions.remove(role.preview_id);
          // Another engine speaks since this job began.
          if (key !== keyOf(await speech.engine(), role)) await enqueue();
        },
        discard: () => renditions.discard(rendition),
      };
    },
  };

  return { kind, job /** Queues missing and outdated previews with the lowest priority. */, enqueue };
}

/** Changes with everything that decides the sound of the preview. */
function keyOf({ id, version }: SpeechEngine, role: { preview_text: string; design: unknown }): string {
  const parts = JSON.stringify([id, version, role.preview_text, role.design]);
  return createHash("sha256").update(parts).digest("base64url");
}
