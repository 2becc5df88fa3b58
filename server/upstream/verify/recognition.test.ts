import { expect, test, vi } from "vitest";
import { speechLike } from "../../../tests/support/sounds";
import type { HeardPrint } from "../../speech/analysis";
import { createFingerprint, createQuery } from "../../speech/recording/fingerprint/fingerprint";
import { createAlteredQueries } from "../../speech/recording/fingerprint/query";
import { likenessAt } from "./likeness";
import { createRecognition } from "./recognition";

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

test("no verdict of foreign audio is given if the search runs out of time", async () => {
  let now = 0;
  const clock = vi.spyOn(Date, "now").mockImplementation(() => {
    now += 2000;
    return now;
  });
  expect(await verdictOf(stranger)).toBe("unclear");
  clock.mockRestore();
});
