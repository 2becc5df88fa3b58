import { Refusal } from "./server";

/** Reads a plain WAV's rate and length; throws for other input. */
export function parseWav(bytes: Buffer): { sampleRate: number; seconds: number } {
  if (bytes.toString("latin1", 0, 4) !== "RIFF") throw new Refusal(500, { detail: "Error opening prompt_wav" });
  const sampleRate = bytes.readUInt32LE(24);
  return { sampleRate, seconds: (bytes.length - 44) / 2 / sampleRate };
}

export function requireReference(
  bytes: Buffer | undefined | "",
  { leastRate, mostSeconds }: { leastRate: number; mostSeconds: number },
): void {
  if (!bytes) throw new Refusal(422, { detail: "no reference" });
  const { sampleRate, seconds } = parseWav(bytes);
  if (sampleRate < leastRate)
    throw new Refusal(500, { detail: `wav sample rate ${sampleRate} must be greater than ${leastRate}` });
  if (seconds > mostSeconds)
    throw new Refusal(500, { detail: `do not support extract speech token for audio longer than ${mostSeconds}s` });
}
