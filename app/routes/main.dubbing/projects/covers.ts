import { refusalOf, uploadForm } from "~/call";
import { readStoredValue, writeStoredValue } from "~/features/draft/draft";
import type { DubChapter } from "~server/contract/calls/dubs";

/** The cover of an imported book: its picture until it is uploaded, then its address. */
const keyOf = (bookId: string) => `dubbing-cover-${bookId}`;

/** What players show, and well below the limit of an upload. */
const maxPx = 1400;

/** Keeps it in this browser until a chapter is generated. A picture that the browser cannot show is left out. */
export async function keepCover(bookId: string, bytes: Uint8Array): Promise<void> {
  const cover = await shrink(new Blob([new Uint8Array(bytes)])).catch(() => null);
  if (cover) await writeStoredValue(keyOf(bookId), cover);
}

async function shrink(picture: Blob): Promise<Blob | null> {
  const bitmap = await createImageBitmap(picture);
  const scale = Math.min(1, maxPx / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.88));
}

/** The chapter with its book's cover, which is uploaded with the first one. */
export async function withCover(chapter: DubChapter): Promise<DubChapter> {
  const key = keyOf(chapter.bookId);
  const kept = chapter.coverPath ? null : await readStoredValue<Blob | string>(key);
  if (!kept) return chapter;
  const coverPath = typeof kept === "string" ? kept : await upload(kept, key);
  return coverPath ? { ...chapter, coverPath } : chapter;
}

/** Null where it is refused; one that is refused for good is forgotten. */
async function upload(cover: Blob, key: string): Promise<string | null> {
  const form = new FormData();
  form.append("type", "picture");
  form.append("file", cover, "cover.jpg");
  try {
    const { url } = await uploadForm("fileUpload", form);
    await writeStoredValue(key, url);
    return url;
  } catch (error) {
    if (refusalOf(error).code === "image-unreadable") await writeStoredValue(key, null);
    return null;
  }
}
