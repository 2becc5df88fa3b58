import type { CallData } from "~server/contract/calls/table";
import { type VideoTemplate, videoTemplateList } from "~server/contract/calls/videos";
import { videoTemplatesMax } from "~server/contract/limits";
import type { Db } from "../../db/database";
import { AppError } from "../../errors";
import { ownerOf } from "../../owner";
import { requirePictures } from "./pictures";

type Listed = CallData<"videoTemplates">;

/** Choices for films that accounts saved under names. */
export interface VideoTemplates {
  list(accountId: string): Promise<Listed>;
  /** Replaces the one of the same name. Throws picture-missing, and template-limit where the account has too many. */
  put(accountId: string, template: VideoTemplate): Promise<Listed>;
  /** Idempotent. */
  remove(accountId: string, name: string): Promise<Listed>;
}

export function createVideoTemplates(db: Db): VideoTemplates {
  const list = async (accountId: string) => {
    const rows = db.selectFrom("video_template").select(["name", "choices"]).where("account_id", "=", accountId);
    const saved = await rows.orderBy("created_at").orderBy("name").execute();
    return videoTemplateList.parse({ list: saved.map(({ name, choices }) => ({ ...(choices as object), name })) });
  };
  return {
    list,
    async put(accountId, { name, ...choices }) {
      await requirePictures(db, ownerOf(accountId), choices);
      const written = JSON.stringify(choices);
      await db.transaction().execute(async (trx) => {
        await trx
          .insertInto("video_template")
          .values({ account_id: accountId, name, choices: written })
          .onConflict((conflict) => conflict.columns(["account_id", "name"]).doUpdateSet({ choices: written }))
          .execute();
        const own = trx.selectFrom("video_template").where("account_id", "=", accountId);
        const { count } = await own.select((eb) => eb.fn.countAll<string>().as("count")).executeTakeFirstOrThrow();
        const data = { limit: videoTemplatesMax };
        if (Number(count) > videoTemplatesMax) throw new AppError("template-limit", "too many templates", { data });
      });
      return list(accountId);
    },
    async remove(accountId, name) {
      await db.deleteFrom("video_template").where("account_id", "=", accountId).where("name", "=", name).execute();
      return list(accountId);
    },
  };
}
