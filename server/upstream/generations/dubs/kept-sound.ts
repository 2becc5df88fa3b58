import type { Db } from "../../db/database";
import type { Timeline } from "../../speech/engine";
import type { Files, Mastered } from "../../voices/ports";

/** A line's sound as it lies in a rendition. */
export interface KeptLine {
  renditionId: string;
  samples: number;
  sampleRate: number;
}

const idOf = (url: string) => url.slice(url.lastIndexOf("/") + 1).replace(/\..*$/, "");

/** The samples of a line that was made before, without its audible mark; null where they are gone. */
export async function readKept(
  { db, files }: { db: Db; files: Pick<Files, "read"> },
  { renditionId, samples, sampleRate }: KeptLine,
): Promise<Mastered | null> {
  const row = await db
    .selectFrom("rendition")
    .select(["wav_url", "timeline_url", "spoken_by"])
    .where("id", "=", renditionId)
    .executeTakeFirst();
  if (!row?.wav_url) return null;
  try {
    const pcm = samplesOf(await files.read(idOf(row.wav_url)), samples);
    if (!pcm) return null;
    const spoken = row.spoken_by ? { spokenBy: row.spoken_by } : {};
    if (!row.timeline_url) return { pcm, sampleRate, ...spoken };
    const timeline = JSON.parse(Buffer.from(await files.read(idOf(row.timeline_url))).toString()) as Timeline;
    return { pcm, sampleRate, timeline, ...spoken };
  } catch {
    // Whatever is wrong with what was kept: it is made anew.
    return null;
  }
}

const headerBytes = 12;
const chunkHeaderBytes = 8;

/** The first samples of a mono 16-bit WAV of our own making. */
function samplesOf(wav: Uint8Array, samples: number): Int16Array | null {
  const view = new DataView(wav.buffer, wav.byteOffset, wav.byteLength);
  for (let at = headerBytes; at + chunkHeaderBytes <= wav.length; ) {
    const size = view.getUint32(at + 4, true);
    const bodyAt = at + chunkHeaderBytes;
    if (Buffer.from(wav.subarray(at, at + 4)).toString("latin1") === "data") {
      const bytes = samples * 2;
      if (bytes > size || bodyAt + bytes > wav.length) return null;
      // A copy of its own: a Buffer's slice would share the whole file.
      return new Int16Array(new Uint8Array(wav.subarray(bodyAt, bodyAt + bytes)).buffer);
    }
    at = bodyAt + size + (size % 2);
  }
  return null;
}
