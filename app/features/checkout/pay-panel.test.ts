import { expect, test } from "vitest";
import { checkoutCopy } from "~/copy/checkout";
import type { Product } from "~server/contract/calls/payments";
import { runsSentence } from "./pay-panel";

const now = 1_800_000_000;
const day = 86_400;
const { runs } = checkoutCopy;
const soon = now + 10 * day;
const later = now + 40 * day;

test.each([
  ["a first membership", 1, 365, {}, runs.now(now + 30 * day)],
  ["a week", 1, 7, {}, runs.now(now + 7 * day)],
  ["one of unknown length", 1, 0, {}, ""],
  ["one of unknown length over a normal one", 2, 0, { vipExpire: soon }, ""],
  ["a renewal of unknown length", 2, 0, { svipExpire: soon }, ""],
  ["a renewal", 1, 30, { vipExpire: soon }, runs.later(soon)],
  ["a normal one under a professional one", 1, 30, { svipExpire: later }, runs.later(later)],
  ["a professional one over a normal one", 2, 30, { vipExpire: soon }, runs.now(now + 30 * day) + runs.pushedOut],
  ["a professional renewal", 2, 30, { vipExpire: later, svipExpire: soon }, runs.later(soon)],
  ["a pack", 3, 0, { vipExpire: soon }, runs.pack(now + 30 * day)],
] as const)("the dialog says when %s runs", (...[, packageType, days, expiries, said]) => {
  const payer = { phone: "", vipExpire: 0, svipExpire: 0, ...expiries };
  expect(runsSentence({ packageType, days, packChar: 9 } as Product, payer, now)).toBe(said);
});

test("the dialog does not say how long another upstream's pack lasts", () => {
  const pack = { packageType: 3, days: 0, packChar: 0 } as Product;
  expect(runsSentence(pack, { phone: "", vipExpire: soon, svipExpire: 0 }, now)).toBe("");
});
