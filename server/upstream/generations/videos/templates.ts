import type { CallData } from "~server/contract/calls/table";
import { type VideoTemplate, videoTemplateList } from "~server/contract/calls/videos";
import { videoTemplatesMax } from "~server/contract/limits";
import type { Db } from "../../db/database";
import { AppError } from "../../errors";
import { ownerOf } from "../../owner";
import { countRows } from "../../sql-fragments";
import { requirePictures } from "./pictures";

type Listed = CallData<"videoTemplates">;

/** Choices for films that accounts saved under names. */
export type VideoTemplates = ReturnType<typeof createVideoTemplates>;

export function createVideoTemplates(db: Db) {
  const list = async (accountId: string) => {
    const rows = db.selectFrom("video_template").select(["name", "choices"]).where("account_id", "=", accountId);
    const saved = await rows.orderBy("created_at").orderBy("name").execute();
    return videoTemplateList.parse({ list: saved.map(({ name, choices }) => ({ ...(choices as object), name })) });
  };
  return {
    list,
    /** Replaces the one of the same name. Throws picture-missing, and template-limit where the account has too many. */
    async put(accountId: string, { name, ...choices }: VideoTemplate): Promise<Listed> {
      await requirePictures(db, ownerOf(accountId), choices);
      const written = JSON.stringify(choices);
      await db.transaction().execute(async (trx) => {
        await trx
          .insertInto("video_template")
          .values({ account_id: accountId, name, choices: written })
          .onConflict((conflict) => conflict.columns(["account_id", "name"]).doUpdateSet({ choices: written }))
          .execute();
        const own = trx.selectFrom("video_template").where("account_id", "=", accountId);
        const data = { limit: videoTemplatesMax };
        if ((await countRows(own)) > videoTemplatesMax)
          throw new AppError("template-limit", "too many templates", { data });
      });
      return list(accountId);
    },
    /** Idempotent. */
    async remove(accountId: string, name: string): Promise<Listed> {
      await db.deleteFrom("video_template").where("account_id", "=", accountId).where("name", "=", name).execute();
      return list(accountId);
    },
  };
}
