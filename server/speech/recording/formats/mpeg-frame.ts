export interface FrameHeader {
  /** Frame length including the header. */
  bytes: number;
  /** Per channel. */
  samples: number;
  sampleRate: number;
  /** 1, 2 or 3. */
  layer: number;
  /** 1 for MPEG 1; 2 for MPEG 2 and 2.5, which differ only in the rates. */
  generation: 1 | 2;
}

const rates = [44_100, 48_000, 32_000];
const bitrates: Record<string, number[]> = {
  "1/1": [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  "1/2": [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  "1/3": [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  "2/1": [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  "2/2": [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  "2/3": [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};

/** Parses an MPEG audio frame header at an offset; null if there is none. */
export function parseFrameHeader(bytes: Uint8Array, at: number): FrameHeader | null {
  const [first, second = 0, third = 0] = bytes.subarray(at, at + 3);
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return null;
  const versionBits = (second >> 3) & 3;
  const layer = 4 - ((second >> 1) & 3);
  const rate = rates[(third >> 2) & 3];
  const generation: 1 | 2 = versionBits === 3 ? 1 : 2;
  const kbps = bitrates[`${generation}/${layer}`]?.[(third >> 4) - 1];
  if (versionBits === 1 || layer === 4 || rate === undefined || kbps === undefined) return null;
  const sampleRate = rate / (versionBits === 3 ? 1 : versionBits === 2 ? 2 : 4);
  const samples = layer === 1 ? 384 : layer === 3 && generation === 2 ? 576 : 1152;
  const padding = (third >> 1) & 1;
  const slot = layer === 1 ? 4 : 1;
  const frameBytes = (Math.floor((samples * kbps * 125) / sampleRate / slot) + padding) * slot;
  return { bytes: frameBytes, samples, sampleRate, layer, generation };
}
