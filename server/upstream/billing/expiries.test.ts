import { expect, test } from "vitest";
import { planExpiry } from "./expiries";
import type { Grant, GrantChange } from "./membership";

const day = 86_400;
const start = 1_800_000_000;
const grant = (tier: "vip" | "svip", days: number, atDay = 0): Grant => ({
  ...{ id: `${tier}-${atDay}`, tier, seconds: days * day, monthly: false, at: start + atDay * day },
});
const plan = (rows: Array<Grant | GrantChange>, atDay: number) => planExpiry(rows, start + atDay * day);
const telling = (endDay: number) => ({ tells: start + endDay * day, checksAt: null });
const waiting = (day_: number) => ({ tells: null, checksAt: start + day_ * day });
const nothing = { tells: null, checksAt: null };

test("the end of a membership is told three days before, and not after", () => {
  const month = [grant("vip", 30)];
  expect(plan(month, 0)).toEqual(waiting(27));
  expect(plan(month, 27)).toEqual(telling(30));
  expect(plan(month, 29.9)).toEqual(telling(30));
  expect(plan(month, 30)).toEqual(nothing);
  expect(plan([], 0)).toEqual(nothing);
});

test("the end that counts is that of the last tier, with what was renewed and taken back", () => {
  expect(plan([grant("svip", 30), grant("vip", 30)], 27)).toEqual(waiting(57));
  expect(plan([grant("vip", 30), grant("vip", 30, 28)], 28)).toEqual(waiting(57));
  const refund: GrantChange = { changes: "vip-0", seconds: -10 * day, at: start + 5 * day };
  expect(plan([grant("vip", 30), refund], 17)).toEqual(telling(20));
});

test("nobody is told of an end that was set within its last three days", () => {
  expect(plan([grant("vip", 2)], 0)).toEqual(nothing);
  const refund: GrantChange = { changes: "vip-0", seconds: -28 * day, at: start + day };
  expect(plan([grant("vip", 30), refund], 1)).toEqual(nothing);
});
