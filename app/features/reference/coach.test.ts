import { expect, test } from "vitest";
import { judge } from "./coach";
import { heights, secondsOf, type Take } from "./take";
import { bestPart } from "./trim";
import { encodeWav } from "./wav";

const sampleRate = 24_000;

/** A buzz with a voice's pitch in syllables of 0.2 s with gaps between: what the coach takes for speech. */
function speech(seconds: number, { gain = 0.3, noise = 0.0005, from = 0 } = {}): Take {
  let seed = 7;
  const random = () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 1_073_741_824 - 1;
  };
  const samples = Float32Array.from({ length: seconds * sampleRate }, (_, at) => {
    const time = at / sampleRate;
    const speaking = time >= from && time % 0.3 < 0.2;
    let buzz = 0;
    for (let harmonic = 1; harmonic <= 12; harmonic++) buzz += Math.sin(2 * Math.PI * 160 * harmonic * time) / harmonic;
    return noise * random() + (speaking ? (gain * buzz) / 1.9 : 0);
  });
  return { samples, sampleRate };
}

test("a clear recording is good", () => {
  expect(judge(speech(8))).toMatchObject({ verdict: "good", tips: [], durationMs: 8000 });
});

test.each([
  ["silent", { samples: new Float32Array(5 * sampleRate), sampleRate }, "refused"],
  ["no-speech", speech(6, { gain: 0, noise: 0.1 }), "refused"],
  ["too-short", speech(2), "refused"],
  ["quiet", speech(8, { gain: 0.02, noise: 0.00005 }), "usable"],
  ["noisy", speech(8, { noise: 0.08 }), "usable"],
  ["too-long", speech(70), "usable"],
] as const)("%s is told", (tip, take, verdict) => {
  const quality = judge(take);
  expect(quality.tips).toContain(tip);
  expect(quality.verdict).toBe(verdict);
});

test("a clipped recording is told, a ruined one refused", () => {
  const take = speech(8, { gain: 3 });
  const ruined = { ...take, samples: take.samples.map((sample) => Math.max(-1, Math.min(1, sample))) };
  expect(judge(ruined)).toMatchObject({ verdict: "refused" });
  expect(judge(ruined).tips).toContain("clipped");
});

test("the best part is where most is said", () => {
  const part = bestPart(speech(100, { from: 30 }), 60);
  expect(secondsOf(part)).toBe(60);
  expect(judge(part).speechSeconds).toBeGreaterThan(35);
});

test("a short take is left as it is", () => {
  const take = speech(8);
  expect(bestPart(take)).toBe(take);
});

test("the wav holds 16-bit mono with the right sizes", async () => {
  const bytes = new DataView(await encodeWav({ samples: Float32Array.of(0, 1, -1, 2), sampleRate }).arrayBuffer());
  expect(bytes.byteLength).toBe(44 + 8);
  expect(bytes.getUint32(24, true)).toBe(sampleRate);
  expect([46, 48, 50].map((at) => bytes.getInt16(at, true))).toEqual([32_767, -32_767, 32_767]);
});

test("heights follow the loudness", () => {
  const drawn = heights({ samples: Float32Array.of(0, 0, 1, 0.25), sampleRate }, 2);
  expect(drawn).toEqual([0, 1]);
});
