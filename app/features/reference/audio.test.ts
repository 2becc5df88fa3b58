import { expect, test } from "vitest";
import { assessRecording, type MonoRecording } from "~server/contract/recording/judge";
import { inspectRecording } from "~server/speech/recording/decode";
import {
  amplified,
  clipped,
  joined,
  mixed,
  music,
  noise,
  type Sound,
  silence,
  speechLike,
  sung,
  tone,
  whispered,
} from "../../../tests/support/sounds";
import { encodeWav, mostSpokenPart, quantizeToInt16, waveformHeights } from "./audio";

const sampleRate = 24_000;

/** A harmonic tone of 160 Hz in syllables of 0.2 s with gaps, which is detected as speech. */
function speech(seconds: number, { gain = 0.3, noise = 0.0005, from = 0 } = {}): MonoRecording {
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

const recordings: Record<string, Sound> = {
  "a man": speechLike({ seconds: 8, pitchHz: 100, seed: 2 }),
  "a woman": speechLike({ seconds: 8, pitchHz: 230, seed: 3 }),
  "a child": speechLike({ seconds: 8, pitchHz: 300, seed: 6 }),
  "a voice at 48 kHz": speechLike({ seconds: 6, sampleRate: 48_000, seed: 4 }),
  "a voice at 8 kHz": speechLike({ seconds: 8, sampleRate: 8000 }),
  "a long voice": speechLike({ seconds: 70, sampleRate: 8000 }),
  "a voice in a quiet room": mixed(speechLike({ seconds: 8 }), noise({ seconds: 8, level: 0.01 })),
  "a voice in a room": mixed(speechLike({ seconds: 8 }), noise({ seconds: 8, level: 0.03 })),
  "a voice in a loud room": mixed(speechLike({ seconds: 8 }), noise({ seconds: 8, level: 0.08 })),
  "a voice in the street": mixed(speechLike({ seconds: 8 }), noise({ seconds: 8, level: 0.15 })),
  "a voice drowned in noise": mixed(speechLike({ seconds: 8 }), noise({ seconds: 8, level: 0.3 })),
  "a voice far away": amplified(speechLike({ seconds: 8 }), 0.06),
  "a voice very far away": amplified(speechLike({ seconds: 8 }), 0.004),
  "a loud voice": clipped(speechLike({ seconds: 8 }), 2.2),
  "a voice a little too loud": clipped(speechLike({ seconds: 8 }), 2.6),
  "a voice beyond the limit": clipped(speechLike({ seconds: 8 }), 8),
  "a word": speechLike({ seconds: 2 }),
  "a word and a pause": joined(speechLike({ seconds: 2 }), silence({ seconds: 6 })),
  "a voice between pauses": joined(silence({ seconds: 6 }), speechLike({ seconds: 8 }), silence({ seconds: 6 })),
  "a voice over music": mixed(speechLike({ seconds: 8 }), music({ seconds: 8 })),
  "a voice over soft music": mixed(speechLike({ seconds: 8 }), amplified(music({ seconds: 8 }), 0.06)),
  "a song": sung({ seconds: 8 }),
  "a whisper": whispered({ seconds: 8 }),
  "a short sentence": speechLike({ seconds: 3.3 }),
  "a child at 48 kHz": speechLike({ seconds: 6, pitchHz: 400, sampleRate: 48_000 }),
  "two people in turns": joined(
    speechLike({ seconds: 6, pitchHz: 105, seed: 2 }),
    speechLike({ seconds: 6, pitchHz: 220, seed: 3 }),
  ),
  chords: music({ seconds: 8, beatSeconds: 0.25 }),
  "a tone": tone({ seconds: 6, hz: 200 }),
  noise: noise({ seconds: 6, level: 0.3 }),
  silence: silence({ seconds: 6 }),
};

test.each(Object.entries(recordings))("browser and server return the same verdict for %s", async (_, recording) => {
  const inBrowser = assessRecording(quantizeToInt16(recording));
  const { quality } = await inspectRecording(new Uint8Array(await encodeWav(recording).arrayBuffer()));
  expect(inBrowser).toEqual(quality);
});

test("mostSpokenPart returns the minute with the most speech", () => {
  const part = mostSpokenPart(speech(100, { from: 30 }), 60);
  expect(part.samples.length / part.sampleRate).toBe(60);
  expect(assessRecording(part).speechSeconds).toBeGreaterThan(35);
});

test("mostSpokenPart returns a short recording unchanged", () => {
  const recording = speech(8);
  expect(mostSpokenPart(recording)).toBe(recording);
});

test("encodeWav writes 16-bit mono with correct sizes and clamps samples", async () => {
  const bytes = new DataView(await encodeWav({ samples: Float32Array.of(0, 1, -1, 2), sampleRate }).arrayBuffer());
  expect(bytes.byteLength).toBe(44 + 8);
  expect(bytes.getUint32(24, true)).toBe(sampleRate);
  expect([46, 48, 50].map((at) => bytes.getInt16(at, true))).toEqual([32_767, -32_767, 32_767]);
});

test("waveformHeights returns heights proportional to the peaks", () => {
  const drawn = waveformHeights({ samples: Float32Array.of(0, 0, 1, 0.25), sampleRate }, 2);
  expect(drawn).toEqual([0, 1]);
});
