import fc from "fast-check";
import { expect, test } from "vitest";
import { fitSound, shortestMs } from "./fit";
import { audibleMs } from "./placement";

const sampleRate = 8000;
const perMs = sampleRate / 1000;

interface Word {
  silenceMs: number;
  toneMs: number;
}

/** Tones with a silence before each, and one at the end; a unit of the timeline per tone. */
function speak(words: readonly Word[], tailMs: number) {
  const total = words.reduce((sum, { silenceMs, toneMs }) => sum + silenceMs + toneMs, tailMs);
  const pcm = new Int16Array(total * perMs);
  let at = 0;
  const units = words.map(({ silenceMs, toneMs }, offset) => {
    const start = at + silenceMs;
    at = start + toneMs;
    pcm.fill(1000 + offset, start * perMs, at * perMs);
    return { text: "字", offset, start, end: at };
  });
  return { pcm, sampleRate, timeline: { sampleRate, durationMs: total, units, phonemes: [] } };
}

const anyWords = fc.array(
  fc.record({ silenceMs: fc.integer({ min: 0, max: 900 }), toneMs: fc.integer({ min: 5, max: 300 }) }),
  {
    minLength: 1,
    maxLength: 8,
  },
);
const heardIn = (pcm: Int16Array) => [...pcm].filter((value) => value !== 0);

test("fitSound keeps every audible sample in order, begins at once, and shortens pauses no more than needed", () => {
  fc.assert(
    fc.property(anyWords, fc.nat(600), fc.integer({ min: 1, max: 6000 }), (words, tailMs, availableMs) => {
      const sound = speak(words, tailMs);
      const fitted = fitSound(sound, availableMs);
      expect(heardIn(fitted.pcm)).toEqual(heardIn(sound.pcm));
      expect(fitted.pcm.findIndex((value) => value !== 0) / perMs).toBeLessThanOrEqual(20);
      const wholeMs = audibleMs(fitSound(sound, Number.POSITIVE_INFINITY));
      const expected = Math.max(Math.min(wholeMs, availableMs), shortestMs(sound));
      expect(Math.abs(audibleMs(fitted) - expected)).toBeLessThanOrEqual(1);
    }),
  );
});

test("fitSound moves the timeline with the words", () => {
  fc.assert(
    fc.property(anyWords, fc.integer({ min: 1, max: 3000 }), (words, availableMs) => {
      const { pcm, timeline } = fitSound(speak(words, 100), availableMs);
      for (const { offset, start, end } of timeline.units) {
        const from = pcm.indexOf(1000 + offset);
        expect(Math.abs(start - from / perMs)).toBeLessThanOrEqual(1);
        expect(Math.abs(end - (pcm.lastIndexOf(1000 + offset) + 1) / perMs)).toBeLessThanOrEqual(1);
      }
    }),
  );
});

test("a pause keeps eighty milliseconds, and a sound without any words becomes empty", () => {
  const sound = speak(
    [
      { silenceMs: 300, toneMs: 100 },
      { silenceMs: 1000, toneMs: 100 },
    ],
    500,
  );
  expect(shortestMs(sound)).toBe(20 + 100 + 80 + 100 + 25);
  expect(audibleMs(fitSound(sound, 800))).toBe(800);
  expect(fitSound(speak([{ silenceMs: 50, toneMs: 0 }], 50), 10).pcm).toHaveLength(0);
});
