import { expect, test } from "vitest";
import type { Product } from "~server/contract/calls/payments";
import { defaultPeriod, periodsOf, planOf, tiersFor } from "./plan-cards";

const product = (fields: Partial<Product>): Product => ({
  ...{ pCount: "1", tagMark: "月度", price: 3900, discountMark: "", cornerMark: "", pCode: "vip-month" },
  ...{ packageType: 1, usedChar: 0, days: 30, monthChar: 0, packChar: 0 },
  ...fields,
});

const sold = [
  product({ pCount: "9", tagMark: "加量包", packageType: 3, days: 0 }),
  product({ pCount: "3", tagMark: "年度", price: 34_900, originalPrice: 46_800, days: 365 }),
  product({ pCount: "2", tagMark: "季度", price: 9900, days: 90 }),
  product({ pCount: "1" }),
  product({ pCount: "6", tagMark: "年度", price: 89_900, originalPrice: 118_800, days: 365, packageType: 2 }),
  product({ pCount: "5", tagMark: "季度", price: 25_900, days: 90, packageType: 2 }),
  product({ pCount: "4", price: 9900, packageType: 2 }),
];

test("periodsOf sorts the periods by length and states the least saving of both tiers", () => {
  expect(periodsOf(sold)).toEqual([
    { name: "月度", label: "月", savedPercent: 0 },
    { name: "季度", label: "季", savedPercent: 13 },
    { name: "年度", label: "年", savedPercent: 24 },
  ]);
  expect(defaultPeriod(periodsOf(sold))).toBe("月度");
});

test("planOf returns the tier's package of the period with its saving", () => {
  expect(planOf(sold, 1, "年度")).toMatchObject({ unit: "年", monthlyFen: 2908, savedFen: 11_900 });
  expect(planOf(sold, 2, "季度")).toMatchObject({ product: { pCount: "5" }, savedFen: 3800 });
});

test("a member's own plan stands first", () => {
  expect([[], [1], [2], [1, 2]].map((active) => tiersFor(active as Array<1 | 2>))).toEqual([
    [1, 2],
    [1, 2],
    [2, 1],
    [2, 1],
  ]);
});

test("an upstream without lengths and former prices shows its names and no saving", () => {
  const plain = [product({ days: 0, tagMark: "年卡" }), product({ days: 0, tagMark: "月卡", pCount: "2" })];
  expect(periodsOf(plain).map(({ label, savedPercent }) => [label, savedPercent])).toEqual([
    ["年卡", 0],
    ["月卡", 0],
  ]);
  expect(planOf(plain, 1, "月卡")).toMatchObject({ product: { pCount: "2" }, unit: "月卡", savedFen: 0 });
  expect(planOf(plain, 2, "月卡")).toBeNull();
  expect(planOf(plain, 1, "季卡")).toMatchObject({ product: { pCount: "2" } });
});
