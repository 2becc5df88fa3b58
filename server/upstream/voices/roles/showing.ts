import { fileIdsOf } from "~server/contract/file-address";
import type { Db } from "../../db/database";
import type { Files } from "../ports";

/** Lets everybody have a role's preview and picture, or its owner alone. */
export function createShowRole(files: Pick<Files, "show">) {
  return async (
    trx: Db,
    role: { avatar_id: string | null; preview_id: string | null },
    isPublic: boolean,
  ): Promise<void> => {
    const image = role.avatar_id;
    const isShared = image !== null && !isPublic && (await isShownElsewhere(trx, image));
    const ids = isShared || image === null ? [] : [image];
    if (role.preview_id) {
      const preview = trx
        .selectFrom("rendition")
        .select(["play_url", "timeline_url"])
        .where("id", "=", role.preview_id);
      const spoken = await preview.executeTakeFirst();
      if (spoken) ids.push(...fileIdsOf([spoken.play_url, spoken.timeline_url]));
    }
    await files.show(trx, ids, isPublic);
  };
}

/** A picture may be another published role's too. */
async function isShownElsewhere(trx: Db, image: string): Promise<boolean> {
  const shown = trx.selectFrom("role").select("id").where("avatar_id", "=", image).where("is_shown", "=", true);
  return (await shown.limit(1).executeTakeFirst()) !== undefined;
}
