import { fileIdsOf } from "~server/contract/file-address";
import type { Db } from "../../db/database";
import { AppError } from "../../errors";
import { dropAvatar, type Face, toFace } from "./face";
import type { AccountOwner, RoleParts } from "./parts";
import { createShowRole } from "./showing";

/** What is given changes, what is not stays. */
export interface RoleChange extends Face {
  name?: string | undefined;
  describe?: string | undefined;
  gender?: "male" | "female" | "unknown" | undefined;
  tags?: string[] | undefined;
}

type ChangeParts = Pick<RoleParts, "db" | "files">;

/** The owner's role, locked; throws not-found for others' as for none. */
async function lockRole(trx: Db, owner: AccountOwner, id: string) {
  const role = await trx
    .selectFrom("role")
    .select(["id", "avatar_id", "is_shown", "review", "status", "preview_id"])
    .where("id", "=", id)
    .where("owner", "=", owner)
    .forUpdate()
    .executeTakeFirst();
  if (!role) throw new AppError("not-found", "no such role");
  return role;
}

export async function updateRole(
  trx: Db,
  parts: Pick<ChangeParts, "files">,
  { owner, id, change }: { owner: AccountOwner; id: string; change: RoleChange },
): Promise<void> {
  const role = await lockRole(trx, owner, id);
  const { name, describe, gender, tags } = change;
  const face = await toFace(trx, parts, { ...change, owner });
  const texts = Object.entries({ name, describe, gender, tags }).filter(([, value]) => value !== undefined);
  const columns = { ...Object.fromEntries(texts), ...face };
  if (Object.keys(columns).length > 0) {
    await trx.updateTable("role").set(columns).where("id", "=", id).execute();
  }
  if (face.avatar === undefined) return;
  const given = fileIdsOf([face.avatar]);
  if (role.avatar_id && given.includes(role.avatar_id)) return;
  await dropAvatar(trx, parts, { owner, id: role.avatar_id });
  await parts.files.show(trx, given, role.is_shown);
}

/** On the square with live consent and a ready voice, or off it. What was withdrawn by a review stays off. */
export async function publishRole(
  { db, files }: ChangeParts,
  { owner, id, isPublic }: { owner: AccountOwner; id: string; isPublic: boolean },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const role = await lockRole(trx, owner, id);
    if (isPublic) {
      const consent = trx.selectFrom("role_consent").select("role_id").where("role_id", "=", id);
      if (!(await consent.executeTakeFirst())) throw new AppError("consent-missing", "nobody agreed");
      if (role.status !== 2) throw new AppError("voice-missing", "the voice is not ready");
      if (role.review === "withdrawn") throw new AppError("forbidden", "a review took it off the square");
    }
    await trx.updateTable("role").set({ is_public: isPublic }).where("id", "=", id).execute();
    await createShowRole(files)(trx, role, isPublic && role.review !== "open");
  });
}
