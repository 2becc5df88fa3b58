import fc from "fast-check";
import { expect, test } from "vitest";
import { formatYuan, parseYuan } from "./gateway";

test("every amount is parsed back from its format", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999_999 }), (fen) => {
      expect(parseYuan(formatYuan(fen))).toBe(fen);
    }),
  );
});

test.each([
  ["88.80", 8880],
  ["88.8", 8880],
  ["88", 8800],
  ["0.01", 1],
  ["-19.90", -1990],
  ["-0.00", 0],
  [" 1.10\t", 110],
])("%s yuan are %i fen", (text, fen) => {
  expect(parseYuan(text)).toBe(fen);
});

test.each(["", "1.234", "1,000.00", "1e3", "0x10", "NaN", "--1", "1.", ".5", "１.00"])(
  "%j is refused as an amount",
  (text) => {
    expect(parseYuan(text)).toBeNull();
  },
);
