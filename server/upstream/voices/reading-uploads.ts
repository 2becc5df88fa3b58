import { readFile, writeFile } from "node:fs/promises";
import { fileTypeFromFile } from "file-type";
import type { Inspection, SpeechParts } from "./ports";
import { referenceRefused, speechFaultOf } from "./reference-refusal";

/** A temporary file; its receiver removes it. */
export interface Upload {
  path: string;
  size: number;
  name: string;
}

export interface RecordingReading {
  speech: Pick<SpeechParts, "inspect" | "denoise">;
  /** Formats of phones as WAV; null for other files. */
  decodeSoundTrack(file: { path: string; bytes: Uint8Array }, signal: AbortSignal): Promise<Uint8Array | null>;
}

/** A larger file exceeds `maxSeconds` in every format and is refused without reading it. */
const readMaxBytes = 48 * 1024 * 1024;
const decodeTimeoutMs = 20_000;
const foreignFaults = new Set(["aac", "unsupported"]);

/** The inspection of an upload, or of what it is decoded to in its place. Throws SpeechError. */
async function inspectOrDecode(parts: RecordingReading, upload: Upload) {
  const bytes = await readFile(upload.path);
  try {
    return { ...(await parts.speech.inspect(bytes)), kept: upload };
  } catch (error) {
    const wav = await decodeForeign(parts, { path: upload.path, bytes }, error);
    const inspection = await parts.speech.inspect(wav);
    await writeFile(upload.path, wav);
    return { ...inspection, kept: { ...upload, size: wav.length } };
  }
}

/** Our reading of the file; refusals of a file that cannot be read are `reference-…` AppErrors. */
async function read<T>(upload: Upload, act: () => Promise<T>): Promise<T> {
  if (upload.size > readMaxBytes) throw referenceRefused((await isAudio(upload.path)) ? "too-long" : "not-audio");
  try {
    return await act();
  } catch (error) {
    if (speechFaultOf(error) === "reference") throw referenceRefused((error as Error).message, undefined, error);
    throw error;
  }
}

/** The inspection of an upload, and the file to keep: itself, or what it was decoded to in its place. */
export const inspectUpload = (parts: RecordingReading, upload: Upload): Promise<Inspection & { kept: Upload }> =>
  read(upload, () => inspectOrDecode(parts, upload));

/** The upload without its noise, as WAV. */
export const denoiseUpload = ({ speech, decodeSoundTrack }: RecordingReading, upload: Upload): Promise<Uint8Array> =>
  read(upload, async () => {
    const bytes = await readFile(upload.path);
    return speech
      .denoise(bytes)
      .catch(async (error) =>
        speech.denoise(await decodeForeign({ decodeSoundTrack }, { path: upload.path, bytes }, error)),
      );
  });

/** A phone's file as WAV, where `error` says that our decoders do not read it; throws `error` otherwise. */
async function decodeForeign(
  { decodeSoundTrack }: Pick<RecordingReading, "decodeSoundTrack">,
  file: { path: string; bytes: Uint8Array },
  error: unknown,
): Promise<Uint8Array> {
  if (speechFaultOf(error) !== "reference" || !foreignFaults.has((error as Error).message)) throw error;
  const wav = await decodeSoundTrack(file, AbortSignal.timeout(decodeTimeoutMs)).catch(() => null);
  if (!wav) throw error;
  return wav;
}

async function isAudio(path: string): Promise<boolean> {
  const type = await fileTypeFromFile(path);
  return type !== undefined && /^(audio|video)\/|ogg$/.test(type.mime);
}
