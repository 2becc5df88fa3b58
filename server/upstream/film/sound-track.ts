import { spawn } from "node:child_process";
import { buffer } from "node:stream/consumers";
import { wavHeader } from "../../speech/recording/formats/wav";

interface SoundTrackBounds {
  sampleRate: number;
  /** The rest is left out. */
  maxSeconds: number;
}

/** Sample rate of a fingerprint; see server/speech/recording/fingerprint. */
const ofFingerprints: SoundTrackBounds = { sampleRate: 16_000, maxSeconds: 15 * 60 };

/** What no decoder of this server's own reads: MP4 and 3GP containers, ADTS frames (AAC), AMR, Core Audio. */
function demuxerOf(bytes: Uint8Array): "mov" | "aac" | "amr" | "caf" | null {
  const head = Buffer.from(bytes.subarray(0, 8)).toString("latin1");
  if (head.slice(4) === "ftyp") return "mov";
  if (head.startsWith("#!AMR")) return "amr";
  if (head.startsWith("caff")) return "caf";
  return bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xf6) === 0xf0 ? "aac" : null;
}

/** The sound of an MP4 film or of a phone's recording as mono WAV; null for other files and for those that cannot be decoded. */
export type DecodeSoundTrack = (
  file: { path: string; bytes: Uint8Array },
  signal: AbortSignal,
) => Promise<Uint8Array | null>;

/**
 * Decodes with the ffmpeg at `ffmpegPath`, in its own process: it opens nothing but the file, as the format that was
 * recognised, and ends with the signal. Without a program nothing is decoded.
 */
export function createSoundTrackDecoder(
  ffmpegPath: string | undefined,
  { sampleRate, maxSeconds } = ofFingerprints,
): DecodeSoundTrack {
  return async ({ path, bytes }, signal) => {
    const demuxer = demuxerOf(bytes);
    if (!ffmpegPath || !demuxer) return null;
    const child = spawn(
      ffmpegPath,
      [
        ...["-hide_banner", "-nostdin", "-loglevel", "error", "-threads", "1"],
        ...["-protocol_whitelist", "file", "-f", demuxer, "-i", path, "-map", "0:a:0", "-vn", "-sn", "-dn"],
        ...["-t", String(maxSeconds), "-ac", "1", "-ar", String(sampleRate), "-f", "s16le", "pipe:1"],
      ],
      { stdio: ["ignore", "pipe", "ignore"], env: { NODE_ENV: "production" }, signal, killSignal: "SIGKILL" },
    );
    const ended = new Promise<number | null>((resolve) => {
      child.once("close", resolve);
      child.once("error", () => resolve(null));
    });
    const samples = await buffer(child.stdout).catch(() => Buffer.alloc(0));
    const code = await ended;
    signal.throwIfAborted();
    if (code !== 0 || samples.length < 2) return null;
    return Buffer.concat([wavHeader(samples.length / 2, sampleRate), samples]);
  };
}
