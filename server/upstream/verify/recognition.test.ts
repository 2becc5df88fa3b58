import { expect, test, vi } from "vitest";
import { speechLike } from "../../../tests/support/sounds";
import type { HeardPrint } from "../../speech/analysis";
import { createFingerprint, createQuery } from "../../speech/recording/fingerprint/fingerprint";
import { createAlteredQueries } from "../../speech/recording/fingerprint/query";
import { likenessAt } from "./likeness";
import { createRecognition, judgeLabelled } from "./recognition";

const ours = speechLike({ seconds: 9, seed: 11 });
const kept = createFingerprint(ours.samples, ours.sampleRate);
const stranger = speechLike({ seconds: 9, seed: 12 });

type Sound = typeof ours;
/** The same samples, played at another speed. */
const played = (sound: Sound, pace: number): Sound => ({ ...sound, sampleRate: sound.sampleRate * pace });

/** Compares the stored fingerprint at its start and a few frames around it. */
async function search(heard: HeardPrint) {
  const found = [-3, 0, 3].map((offset) => likenessAt(heard, kept.words, { offset }));
  const [best] = found.sort((a, b) => a.errorRate - b.errorRate);
  return best ? { ...best, fingerprintId: 1 } : null;
}

function verdictOf({ samples, sampleRate }: Sound) {
  const hearAltered = async () => createAlteredQueries({ samples, sampleRate });
  const recognize = createRecognition({ prints: { search }, speech: { hearAltered } });
  const heard = { ...createQuery(samples, sampleRate), excerpt: { samples, sampleRate } };
  return recognize(heard, new AbortController().signal).then(({ verdict }) => verdict);
}

test.each([1, 0.88, 0.94, 1.06, 1.12])("our audio is recognised at %f of its speed", async (pace) => {
  expect(await verdictOf(played(ours, pace))).toBe("ours");
});

test.each([1, 0.94, 1.12])("foreign audio is not recognised at %f of its speed", async (pace) => {
  expect(await verdictOf(played(stranger, pace))).toBe("other");
});

test.each([
  ["its own file", 0, 8, "ours"],
  ["its own file with the audible mark", 0.04, 22, "ours"],
  ["a stranger's piece that resembles it", 0.313, 9, "unclear"],
  ["a stranger's piece at the limit for long sounds", 0.25, 8, "unclear"],
  ["a copy of it before a stranger's recording", 0, 30, "unclear"],
  ["a part of it", 0.1, 7, "unclear"],
] as const)("the label of a sound of 8 frames is judged beside %s", (_, errorRate, heardFrames, verdict) => {
  expect(judgeLabelled({ errorRate, frames: 8 }, heardFrames)).toBe(verdict);
});

test("the label of a long sound allows for a changed copy", () => {
  expect(judgeLabelled({ errorRate: 0.34, frames: 64 }, 300)).toBe("ours");
  expect(judgeLabelled({ errorRate: 0.4, frames: 64 }, 300)).toBe("other");
});

test("no verdict of foreign audio is given if the search runs out of time", async () => {
  let now = 0;
  const clock = vi.spyOn(Date, "now").mockImplementation(() => {
    now += 2000;
    return now;
  });
  expect(await verdictOf(stranger)).toBe("unclear");
  clock.mockRestore();
});
