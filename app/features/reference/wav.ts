import type { Take } from "./take";

const headerBytes = 44;

/** 16-bit mono WAV: every upstream reads it, so no codec of the browser matters. */
export function encodeWav({ samples, sampleRate }: Take): Blob {
  const bytes = new DataView(new ArrayBuffer(headerBytes + samples.length * 2));
  const ascii = (at: number, text: string) => {
    for (let index = 0; index < text.length; index++) bytes.setUint8(at + index, text.charCodeAt(index));
  };
  ascii(0, "RIFF");
  bytes.setUint32(4, bytes.byteLength - 8, true);
  ascii(8, "WAVEfmt ");
  bytes.setUint32(16, 16, true);
  bytes.setUint16(20, 1, true);
  bytes.setUint16(22, 1, true);
  bytes.setUint32(24, sampleRate, true);
  bytes.setUint32(28, sampleRate * 2, true);
  bytes.setUint16(32, 2, true);
  bytes.setUint16(34, 16, true);
  ascii(36, "data");
  bytes.setUint32(40, samples.length * 2, true);
  for (let index = 0; index < samples.length; index++) {
    bytes.setInt16(headerBytes + index * 2, toSixteenBits(samples[index] ?? 0), true);
  }
  return new Blob([bytes.buffer as ArrayBuffer], { type: "audio/wav" });
}

const toSixteenBits = (sample: number) => Math.round(Math.min(1, Math.max(-1, sample)) * 0x7fff);

/** The samples that whoever reads the WAV gets: a take is judged as it is sent. */
export const asSent = ({ samples, sampleRate }: Take): Take => ({
  samples: samples.map((sample) => toSixteenBits(sample) / 0x8000),
  sampleRate,
});
