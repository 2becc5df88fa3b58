/** What goes up: the file itself, or its sound as WAV where the server cannot unpack it. */
export interface Readable {
  file: Blob;
  name: string;
  /** True where the sound alone goes up: labels are left behind. */
  isUnpacked: boolean;
}

/** AAC is the one common kind that only browsers can unpack; null when this one cannot either. */
export async function readable(file: File): Promise<Readable | null> {
  if (!(await isAac(file))) return { file, name: file.name, isUnpacked: false };
  const { unpack } = await import("~/features/reference/unpack");
  const sound = await unpack(file);
  return sound && { file: sound, name: `${file.name.replace(/\.[^.]*$/, "")}.wav`, isUnpacked: true };
}

/** By the bytes: an MP4 file, or bare ADTS frames. */
async function isAac(file: Blob): Promise<boolean> {
  const head = new Uint8Array(await file.slice(0, 12).arrayBuffer());
  const isMp4 = String.fromCharCode(...head.subarray(4, 8)) === "ftyp";
  return isMp4 || (head[0] === 0xff && ((head[1] ?? 0) & 0xf6) === 0xf0);
}
