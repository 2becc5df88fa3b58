import { fileIdOf, fileIdsOf, portraitAddressOf } from "~server/contract/file-address";
import { parsePhotoFace, toPhotoPortrait } from "~server/portrait/photo-face";
import type { Db } from "../../db/database";
import { AppError } from "../../errors";
import type { AccountOwner } from "../../owner";
import type { Files } from "../ports";
import type { RoleParts } from "./parts";

/** An uploaded image with what was confirmed of its face, or the parameters of a drawn portrait. */
export interface Appearance {
  /** The exact address of an image of the owner. */
  avatar?: string | undefined;
  portrait?: Record<string, unknown> | undefined;
}

/** Real portraits take less than a hundred bytes. */
const portraitMaxLength = 2000;

/** The columns to set, none for no appearance; an image takes precedence. Throws image-unreadable for another owner's image. */
export async function toAppearanceColumns(
  trx: Db,
  { files }: Pick<RoleParts, "files">,
  { owner, avatar, portrait }: Appearance & { owner: AccountOwner },
) {
  if (avatar) {
    const id = fileIdOf(avatar);
    const isAddress = avatar === portraitAddressOf(id);
    if (id && isAddress && (await files.isOwn(trx, { id, owner, kind: "image" })))
      return { avatar, portrait: toConfirmedFace(portrait) };
    throw new AppError("image-unreadable", "not an image of the owner's");
  }
  if (!portrait) return {};
  const drawn = JSON.stringify(portrait);
  if (drawn.length > portraitMaxLength) throw new AppError("bad-request", "portrait is too large", { status: 400 });
  return { avatar: "", portrait: drawn };
}

/** JSON of the face; null if nothing was confirmed, so that the photo stays still. */
function toConfirmedFace(portrait: Appearance["portrait"]): string | null {
  if (!portrait || !("photo" in portrait)) return null;
  const face = parsePhotoFace(portrait);
  if (!face) throw new AppError("bad-request", "regions outside the photo", { status: 400 });
  return JSON.stringify(toPhotoPortrait(face));
}

/** Expires the image unless another role of the owner shows it. */
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

/** Makes a role's preview and picture public, or private to its owner. */
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

/** Whether another published role has the picture too. */
async function isShownElsewhere(trx: Db, image: string): Promise<boolean> {
  const shown = trx.selectFrom("role").select("id").where("avatar_id", "=", image).where("is_shown", "=", true);
  return (await shown.limit(1).executeTakeFirst()) !== undefined;
}
