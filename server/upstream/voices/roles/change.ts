import { fileIdsOf } from "~server/contract/file-address";
import type { Db } from "../../db/database";
import { AppError } from "../../errors";
import type { AccountOwner } from "../../owner";
import { isProven } from "../proofs/proofs";
import { type Appearance, createShowRole, dropAvatar, toAppearanceColumns } from "./appearance";
import type { RoleParts } from "./parts";

/** Absent fields stay as they are. */
export interface RoleChange extends Appearance {
  name?: string | undefined;
  describe?: string | undefined;
  gender?: "male" | "female" | "unknown" | undefined;
  tags?: string[] | undefined;
}

type ChangeParts = Pick<RoleParts, "db" | "files" | "isProofRequired">;

/** The owner's role, locked. Throws not-found for another owner's role too. */
async function lockRole(trx: Db, owner: AccountOwner, id: string) {
  const role = await trx
    .selectFrom("role")
    .select(["id", "avatar_id", "is_shown", "review", "status", "preview_id", "recording_id"])
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
  const appearance = await toAppearanceColumns(trx, parts, { ...change, owner });
  const texts = Object.entries({ name, describe, gender, tags }).filter(([, value]) => value !== undefined);
  const columns = { ...Object.fromEntries(texts), ...appearance };
  if (Object.keys(columns).length > 0) {
    await trx.updateTable("role").set(columns).where("id", "=", id).execute();
  }
  if (appearance.avatar === undefined) return;
  const given = fileIdsOf([appearance.avatar]);
  if (role.avatar_id && given.includes(role.avatar_id)) return;
  await dropAvatar(trx, parts, { owner, id: role.avatar_id });
  await parts.files.show(trx, given, role.is_shown);
}

/** Publishes a role with a consent and a ready, proven voice, or unpublishes it. A role withdrawn by a review stays unpublished. */
export async function publishRole(
  { db, files, isProofRequired }: ChangeParts,
  { owner, id, isPublic }: { owner: AccountOwner; id: string; isPublic: boolean },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const role = await lockRole(trx, owner, id);
    if (isPublic) {
      const consent = trx.selectFrom("role_consent").select("role_id").where("role_id", "=", id);
      if (!(await consent.executeTakeFirst())) throw new AppError("consent-missing", "no consent");
      if (role.status !== 2) throw new AppError("voice-missing", "the voice is not ready");
      if (isProofRequired && !(role.recording_id && (await isProven(trx, role.recording_id)))) {
        throw new AppError("proof-missing", "the voice is not proven");
      }
      if (role.review === "withdrawn") throw new AppError("forbidden", "withdrawn by a review");
    }
    await trx.updateTable("role").set({ is_public: isPublic }).where("id", "=", id).execute();
    await createShowRole(files)(trx, role, isPublic && role.review !== "open");
  });
}
