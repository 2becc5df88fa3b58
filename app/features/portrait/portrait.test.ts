import fc from "fast-check";
import { expect, test } from "vitest";
import { closedMs, untilNextBlinkMs } from "./portrait";

const part = fc.double({ min: 0, max: 1, noNaN: true });

test("the interval between blinks is two to six seconds or that of a double blink, and the eyes open in between", () => {
  fc.assert(
    fc.property(part, part, (first, second) => {
      const parts = [first, second];
      const gap = untilNextBlinkMs(() => parts.shift() ?? 0);
      expect(gap).toBeGreaterThan(closedMs);
      expect(gap <= 240 || (gap >= 2000 && gap <= 6000)).toBe(true);
    }),
  );
});

test("the number of blinks per minute is natural", () => {
  let seed = 7;
  const random = () => {
    seed = (seed * 16807) % 2147483647;
    return seed / 2147483647;
  };
  let ms = 0;
  let blinks = 0;
  while (ms < 600_000) {
    ms += untilNextBlinkMs(random) + closedMs;
    blinks += 1;
  }
  expect(blinks / 10).toBeGreaterThan(10);
  expect(blinks / 10).toBeLessThan(25);
});
