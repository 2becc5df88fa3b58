import { expect, test } from "vitest";
import { backoffSeconds, nextQuerySeconds } from "./schedule";

const createdAt = new Date("2026-03-10T00:00:00Z");
const after = (seconds: number) => new Date(createdAt.getTime() + seconds * 1000);
const open = { createdAt, expiresAt: after(1800), closedAt: null };
const closed = { ...open, closedAt: after(1800) };

test.each([
  ["just made", open, 0, 5],
  ["29 seconds old", open, 29, 5],
  ["30 seconds old", open, 30, 60],
  ["about to expire", open, 1799, 60],
  ["expired and still open", open, 1801, 3600],
  ["closed", closed, 1900, 3600],
  ["closed for almost a day", closed, 1800 + 86_399, 3600],
  ["closed for a day", closed, 1800 + 86_400, null],
] as const)("the next query is scheduled for an attempt that is %s", (...[, times, seconds, next]) => {
  expect(nextQuerySeconds(times, after(seconds))).toBe(next);
});

test("an attempt is queried 6 times in the first 30 seconds and then each minute until it expires", () => {
  const asked: number[] = [];
  for (let at = 5; at <= 1800; at += nextQuerySeconds(open, after(at)) ?? Number.POSITIVE_INFINITY) asked.push(at);
  expect(asked.slice(0, 7)).toEqual([5, 10, 15, 20, 25, 30, 90]);
  expect(asked).toHaveLength(6 + 29);
});

test("an unreachable gateway is queried with backoff, at least once an hour", () => {
  expect([0, 1, 2, 5].map(backoffSeconds)).toEqual([5, 10, 20, 160]);
  expect(backoffSeconds(1000)).toBe(3600);
});
