import { expect, test } from "vitest";
import { secondsUntilDaytime } from "./daytime";

test.each([
  ["2026-12-01T08:59:00+08:00", 60],
  ["2026-12-01T09:00:00+08:00", 0],
  ["2026-12-01T19:59:59+08:00", 0],
  ["2026-12-01T20:00:00+08:00", 13 * 3600],
  ["2026-12-01T00:00:00+08:00", 9 * 3600],
])("a message at %s waits %i seconds for the day in Shanghai", (at, seconds) => {
  expect(secondsUntilDaytime(new Date(at))).toBe(seconds);
});
