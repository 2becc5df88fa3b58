import { decodeFile, resample } from "./decode";
import { encodeWav } from "./wav";

/** A file's sound as WAV at 24 kHz; null when this browser cannot unpack it, or it is longer than ten minutes. */
export async function unpack(file: Blob): Promise<Blob | null> {
  const take = await decodeFile(file).catch(() => null);
  return take && encodeWav(await resample(take));
}
