import { expect, test } from "vitest";
import { userTags } from "./analytics";

const member = { isLogin: true, isVip: false, isSvip: false, phone: "13812345678", vipExpire: 0, svipExpire: 0 };

test("a visitor is reported only as 游客", () => {
  expect(userTags({ ...member, isLogin: false, phone: "" }, true)).toEqual({ tier: "游客", expiry: "", phone: "" });
});

test("a member is reported with the tier, its last day in China's time zone and a masked phone", () => {
  const expire = Date.UTC(2026, 10, 30, 17) / 1000;
  const both = { ...member, isSvip: true, svipExpire: expire, vipExpire: expire + 86_400 };
  expect(userTags(both, false)).toEqual({ tier: "SVIP", expiry: "2026-12-01", phone: "138****5678" });
  expect(userTags({ ...member, isVip: true, vipExpire: expire }, false).tier).toBe("VIP");
});

test("the phone is reported unmasked only if configured", () => {
  expect(userTags(member, false).phone).toBe("138****5678");
  expect(userTags(member, true).phone).toBe("13812345678");
});
