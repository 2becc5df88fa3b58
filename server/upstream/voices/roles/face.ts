import type { Db } from "../../db/database";
import { AppError } from "../../errors";
import { fileIdOf } from "../file-address";
import type { AccountOwner, RoleParts } from "./parts";

/** How a role looks: an uploaded image, or a portrait drawn from parameters. */
export interface Face {
  avatar?: string | undefined;
  portrait?: Record<string, unknown> | undefined;
}

/** A few dozen bytes in truth; what is larger is no portrait. */
const portraitMaxLength = 2000;

/** The columns to set, none where nothing was given; an image wins. Throws image-unreadable for one that is not the owner's. */
export async function toFace(
  trx: Db,
  { files }: Pick<RoleParts, "files">,
  { owner, avatar, portrait }: Face & { owner: AccountOwner },
) {
  if (avatar) {
    const id = fileIdOf(avatar);
    if (id && (await files.isOwn(trx, { id, owner, kind: "image" }))) return { avatar, portrait: null };
    throw new AppError("image-unreadable", "not an image of the owner's");
  }
  if (!portrait) return {};
  const drawn = JSON.stringify(portrait);
  if (drawn.length > portraitMaxLength) throw new AppError("bad-request", "portrait is too large", { status: 400 });
  return { avatar: "", portrait: drawn };
}

/** Lets go of an image that no role of the owner's shows any more. */
export async function dropAvatar(
  trx: Db,
  { files }: Pick<RoleParts, "files">,
  { owner, avatar }: { owner: AccountOwner; avatar: string },
) {
  const id = fileIdOf(avatar);
  if (!id) return;
  const shown = trx.selectFrom("role").select("id").where("owner", "=", owner).where("avatar", "like", `%/${id}.%`);
  if ((await shown.limit(1).executeTakeFirst()) || !(await files.isOwn(trx, { id, owner, kind: "image" }))) return;
  await files.expire(trx, [id]);
}
