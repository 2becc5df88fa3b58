import { expect, test } from "vitest";
import { formatWhen } from "./dubbing-records";

const now = Date.parse("2026-11-21T00:30:00+08:00");

test.each([
  ["2026-11-21T00:29:30+08:00", "刚刚"],
  ["2026-11-21T00:25:00+08:00", "5 分钟前"],
  ["2026-11-20T23:29:00+08:00", "11 月 20 日 23:29"],
  ["2026-11-03T00:12:00+08:00", "11 月 3 日 00:12"],
  ["2025-11-21T00:05:00+08:00", "11 月 21 日 00:05"],
  ["2026-11-20T15:00:00Z", "11 月 20 日 23:00"],
  ["never", ""],
])("the time %s is shown as %s", (at, said) => {
  expect(formatWhen(at, now)).toBe(said);
});

test("the current day is computed in China's time zone", () => {
  expect(formatWhen("2026-11-20T16:05:00Z", Date.parse("2026-11-21T09:00:00+08:00"))).toBe("今天 00:05");
});
