import fc from "fast-check";
import { expect, test } from "vitest";
import { dayBounds, dayOf, secondsUntilDaytime, toLocalTime } from "./calendar";

test("days begin in Asia/Shanghai", () => {
  const before = new Date("2026-12-31T15:59:59Z");
  const after = new Date("2026-12-31T16:00:00Z");
  expect(dayOf(before)).toBe("2026-12-31");
  expect(dayOf(after)).toBe("2027-01-01");
  expect(toLocalTime(after)).toBe("2027-01-01T00:00:00+08:00");
});

test("every moment is within its day, and the next day follows it", () => {
  const moments = fc.date({ min: new Date("2020-01-01"), max: new Date("2099-12-31"), noInvalidDate: true });
  fc.assert(
    fc.property(moments, (at) => {
      const { from, to } = dayBounds(dayOf(at));
      expect(from <= at && at < to).toBe(true);
      expect(dayOf(to) > dayOf(at)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ["2026-12-01T08:59:00+08:00", 60],
  ["2026-12-01T09:00:00+08:00", 0],
  ["2026-12-01T19:59:59+08:00", 0],
  ["2026-12-01T20:00:00+08:00", 13 * 3600],
  ["2026-12-01T00:00:00+08:00", 9 * 3600],
])("a message at %s waits %i seconds for the day in Shanghai", (at, seconds) => {
  expect(secondsUntilDaytime(new Date(at))).toBe(seconds);
});
