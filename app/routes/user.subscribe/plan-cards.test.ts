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
    { name: "月", savedPercent: 0 },
    { name: "季", savedPercent: 13 },
    { name: "年", savedPercent: 24 },
  ]);
  expect(defaultPeriod(periodsOf(sold))).toBe("月");
});

test("planOf returns the tier's package of the period with its saving", () => {
  expect(planOf(sold, 1, "年")).toMatchObject({ unit: "年", monthlyFen: 2908, savedFen: 11_900 });
  expect(planOf(sold, 2, "季")).toMatchObject({ product: { pCount: "5" }, savedFen: 3800 });
});

test("a member's own plan stands first", () => {
  expect([[], [1], [2], [1, 2]].map((active) => tiersFor(active as Array<1 | 2>))).toEqual([
    [1, 2],
    [1, 2],
    [2, 1],
    [2, 1],
  ]);
});

test("an upstream without lengths has its packages grouped by the lengths in their names, without a saving", () => {
  const plain = ["普通会员月卡", "普通会员年卡"].map((tagMark, at) => product({ days: 0, tagMark, pCount: `${at}` }));
  const professional = ["专业会员月卡", "专业会员年卡"].map((tagMark, at) =>
    product({ days: 0, tagMark, pCount: `${at + 2}`, packageType: 2 }),
  );
  const all = [...professional, ...plain];
  expect(periodsOf(all)).toEqual([
    { name: "月", savedPercent: 0 },
    { name: "年", savedPercent: 0 },
  ]);
  expect([1, 2].map((tier) => planOf(all, tier as 1 | 2, "月")?.product.tagMark)).toEqual([
    "普通会员月卡",
    "专业会员月卡",
  ]);
  expect(planOf(all, 1, "年")).toMatchObject({ product: { pCount: "1" }, unit: "年", savedFen: 0 });
  expect(planOf(plain, 2, "月")).toBeNull();
  expect(planOf(plain, 1, "季")).toMatchObject({ product: { pCount: "1" } });
});

test("each package of a tier has a period of its own, whatever its name", () => {
  const unnamed = { days: 0, tagMark: "推荐" };
  const same = [1, 2, 3].map((at) => product({ ...unnamed, price: at * 1000, pCount: `${at}`, pCode: "vip_month" }));
  const all = [...same, product({ ...unnamed, pCode: "svip_month", packageType: 2 })];
  const periods = periodsOf(all);
  expect(periods.map(({ name }) => name)).toEqual(["月", "推荐", "推荐 ¥30.00"]);
  expect(periods.map(({ name }) => planOf(all, 1, name)?.product.pCount)).toEqual(["1", "2", "3"]);
  const halves = ["半年卡", "年卡"].map((tagMark) => product({ days: 0, tagMark }));
  expect(periodsOf(halves).map(({ name }) => name)).toEqual(["半年卡", "年"]);
});
