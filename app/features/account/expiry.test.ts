import { expect, test } from "vitest";
import { expiryCopy } from "~/copy/account";
import type { User } from "./account-sync";
import { expiryNotice } from "./expiry";

const day = 86_400;
const now = Date.UTC(2026, 10, 28, 4) / 1000;
const noticeOf = (vipDays: number, svipDays: number) =>
  expiryNotice({ vipExpire: now + vipDays * day, svipExpire: now + svipDays * day } as User, now)?.text ?? null;

test.each([
  [2, -30, expiryCopy.ends("2026 年 11 月 30 日")],
  [-1, -30, expiryCopy.ended("2026 年 11 月 27 日")],
  // The other tier goes on.
  [1, 30, null],
  [4, 0, null],
  [-8, -9, null],
])("a membership that ends in %d and %d days: %s", (vip, svip, text) => {
  expect(noticeOf(vip, svip)).toBe(text);
});

test("visitors and people without a membership see nothing", () => {
  expect(expiryNotice(null, now)).toBeNull();
  expect(expiryNotice({ vipExpire: 0, svipExpire: 0 } as User, now)).toBeNull();
});
