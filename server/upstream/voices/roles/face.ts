import { fileIdOf, portraitAddressOf } from "~server/contract/file-address";
import type { Db } from "../../db/database";
import { AppError } from "../../errors";
import type { AccountOwner, RoleParts } from "./parts";

/** How a role looks: an uploaded image, or a portrait drawn from parameters. */
export interface Face {
  /** The address of an own image, exactly as it was given out. */
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
    const isAddress = avatar === portraitAddressOf(id);
    if (id && isAddress && (await files.isOwn(trx, { id, owner, kind: "image" }))) return { avatar, portrait: null };
    throw new AppError("image-unreadable", "not an image of the owner's");
  }
  if (!portrait) return {};
  const drawn = JSON.stringify(portrait);
  if (drawn.length > portraitMaxLength) throw new AppError("bad-request", "portrait is too large", { status: 400 });
  return { avatar: "", portrait: drawn };
}

/** Expires the image `id` unless another role of the owner's shows it. */
export async function dropAvatar(
  trx: Db,
  { files }: Pick<RoleParts, "files">,
  { owner, id }: { owner: AccountOwner; id: string | null },
) {
  if (!id) return;
  const shown = trx.selectFrom("role").select("id").where("owner", "=", owner).where("avatar_id", "=", id);
  if ((await shown.limit(1).executeTakeFirst()) || !(await files.isOwn(trx, { id, owner, kind: "image" }))) return;
  await files.expire(trx, [id]);
}
