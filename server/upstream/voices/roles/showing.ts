import type { Db } from "../../db/database";
import { fileIdOf, fileIdsOf } from "../file-address";
import type { Files } from "../ports";

/** Lets everybody have a role's preview and picture, or its owner alone. */
export function createShowRole(files: Pick<Files, "show">) {
  return async (trx: Db, role: { avatar: string; preview_id: string | null }, isPublic: boolean): Promise<void> => {
    const image = fileIdOf(role.avatar);
    const isShared = image !== null && !isPublic && (await isShownElsewhere(trx, image));
    const urls = isShared ? [] : [role.avatar];
    if (role.preview_id) {
      const preview = trx
        .selectFrom("rendition")
        .select(["play_url", "timeline_url"])
        .where("id", "=", role.preview_id);
      const spoken = await preview.executeTakeFirst();
      if (spoken) urls.push(spoken.play_url, spoken.timeline_url ?? "");
    }
    await files.show(trx, fileIdsOf(urls), isPublic);
  };
}

/** A picture may be another published role's too. */
async function isShownElsewhere(trx: Db, image: string): Promise<boolean> {
  const shown = trx
    .selectFrom("role")
    .select("id")
    .where("avatar", "like", `%/${image}.%`)
    .where("is_shown", "=", true);
  return (await shown.limit(1).executeTakeFirst()) !== undefined;
}
