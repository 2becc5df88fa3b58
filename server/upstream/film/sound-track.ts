import { spawn } from "node:child_process";
import { buffer } from "node:stream/consumers";
import { wavHeader } from "../../speech/recording/formats/wav";

/** Sample rate of a fingerprint; see server/speech/recording/fingerprint. */
const sampleRate = 16_000;
const maxSeconds = 15 * 60;

/** An MP4 container or ADTS frames, whose sound is AAC: no decoder of this server's own reads it. */
function demuxerOf(bytes: Uint8Array): "mov" | "aac" | null {
  if (Buffer.from(bytes.subarray(4, 8)).toString("latin1") === "ftyp") return "mov";
  return bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xf6) === 0xf0 ? "aac" : null;
}

/** The sound of an MP4 film or an AAC file as mono WAV; null for other files and for those that cannot be decoded. */
export type DecodeSoundTrack = (
  file: { path: string; bytes: Uint8Array },
  signal: AbortSignal,
) => Promise<Uint8Array | null>;

/**
 * Decodes with the ffmpeg at `ffmpegPath`, in its own process: it opens nothing but the file, as the format that was
 * recognised, and ends with the signal. Without a program nothing is decoded.
 */
export function createSoundTrackDecoder(ffmpegPath: string | undefined): DecodeSoundTrack {
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
