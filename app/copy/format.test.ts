import fc from "fast-check";
import { expect, test } from "vitest";
import { formatClock, formatCount, formatDuration, formatSpeed, formatYuan } from "./format";

test("formatClock shows minutes and seconds with two digits", () => {
  expect([0, 7.9, 60, 3599, Number.NaN].map(formatClock)).toEqual(["00:00", "00:07", "01:00", "59:59", "00:00"]);
});

test("durations are formatted in Chinese units", () => {
  expect([0.4, 8, 60, 80].map(formatDuration)).toEqual(["0 秒", "8 秒", "1 分钟", "1 分 20 秒"]);
});

test("counts and amounts have separators and decimals", () => {
  expect([formatCount(50000), formatYuan(1990)]).toEqual(["50,000", "¥19.90"]);
});

test("formatSpeed formats a speed as a factor", () => {
  expect([0.75, 1].map(formatSpeed)).toEqual(["0.75×", "1×"]);
});

test("thousands are grouped with commas, for negative numbers and decimals too", () => {
  const hundredths = fc.integer({ min: -1e11, max: 1e11 }).map((value) => value / 100);
  fc.assert(
    fc.property(fc.oneof(fc.integer(), hundredths), (value) => {
      expect(formatCount(value)).toBe(value.toLocaleString("en-US"));
    }),
  );
});
