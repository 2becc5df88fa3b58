import { expect, test } from "vitest";
import { formatExpiry } from "~/copy/account";
import { maskPhone } from "~/copy/format";
import { parseSavedAccount } from "./account-sync";
import { shownTiers, toAccount, toMeters, type User, visitor } from "./provider";

const now = 1_800_000_000;
const user = (over: Partial<User>): User => ({
  phone: "13812345678",
  vipExpire: 0,
  svipExpire: 0,
  isMonthly: false,
  tryNum: 0,
  tryMax: 3,
  resetAt: 0,
  buckets: [],
  nextStep: null,
  quota: null,
  ...over,
});
const at = (over: Partial<User>) => toAccount(user(over), now * 1000);

test.each([
  ["none", {}, { isVip: false, isSvip: false }],
  ["normal", { vipExpire: now + 1 }, { isVip: true, isSvip: false }],
  ["normal, over at this second", { vipExpire: now }, { isVip: false, isSvip: false }],
  ["professional", { svipExpire: now + 1 }, { isVip: false, isSvip: true }],
  ["both, professional first", { vipExpire: now + 20, svipExpire: now + 10 }, { isVip: true, isSvip: true }],
  [
    "a normal tier that ends before the professional one",
    { vipExpire: now + 5, svipExpire: now + 10 },
    { isVip: false, isSvip: true },
  ],
])("the tier is computed for: %s", (_case, over, tiers) => {
  expect(at(over)).toMatchObject(tiers);
});

test.each([
  ["both tiers, professional first", { vipExpire: now + 20, svipExpire: now + 10 }, ["svip", "vip"]],
  ["a normal tier that ends before the professional one", { vipExpire: now + 5, svipExpire: now + 10 }, ["svip"]],
  ["tiers that are over", { vipExpire: now - 1, svipExpire: now - 2 }, ["svip", "vip"]],
  ["none", {}, []],
])("the membership list is computed for %s", (_case, expiries, shown) => {
  expect(shownTiers(user(expiries)).map(({ tier }) => tier)).toEqual(shown);
});

const full = (total: number) => ({ total, used: 0, left: total });
const spent = (used: number) => ({ total: used, used, left: 0 });

test.each([
  ["both tiers are paid: the professional one's", { svipExpire: now + 10, vipExpire: now + 20 }, ["svip", "pack"]],
  ["the normal one runs: its own", { svipExpire: now - 10, vipExpire: now + 20 }, ["vip", "pack"]],
  ["none runs: packs alone", {}, ["pack"]],
])("character meters are computed where %s", (_case, expiries, shown) => {
  const runs = (tier: string) => shown.includes(tier);
  const quota = { svip: runs("svip") ? full(9) : spent(5), vip: runs("vip") ? full(4) : spent(3), pack: full(6) };
  expect(toMeters(user({ ...expiries, quota }), now).map(({ bucket }) => bucket)).toEqual(shown);
});

test("an account without a quota has no meters", () => {
  expect(toMeters(user({ svipExpire: now + 10 }), now)).toEqual([]);
});

test("an account with a phone is logged in", () => {
  expect(at({}).isLogin).toBe(true);
  expect(at({ phone: "" }).isLogin).toBe(false);
  expect(toAccount(null, now)).toEqual(visitor);
});

test("memberships show their remaining days", () => {
  const day = 86_400;
  const said = (seconds: number) => formatExpiry(now + seconds, now);
  expect(formatExpiry(0, now)).toBeNull();
  expect(said(0)).toBe("已过期");
  expect(said(-day)).toBe("已过期");
  expect(said(1)).toBe("还剩 1 天");
  expect(said(23 * day)).toBe("还剩 23 天");
  expect(said(3649 * day)).toBe("还剩 3,649 天");
  expect(said(3650 * day)).toBe("永久");
});

test("a phone shows its first three and last four digits", () => {
  expect(maskPhone("13812341234")).toBe("138****1234");
  expect(maskPhone("138****1234")).toBe("138****1234");
});

test("the saved account contains no token, and invalid stored text is ignored", () => {
  expect(Object.keys(at({}))).toEqual(Object.keys(visitor));
  for (const junk of [null, "", "{", "7", "null", '{"isLogin":true}', '{"isLogin":"yes"}'])
    expect(parseSavedAccount(junk, visitor)).toBeNull();
  expect(parseSavedAccount(JSON.stringify(at({})), visitor)).toEqual(at({}));
});
