import { expect, test } from "vitest";
import { userTags } from "./vendors";

const member = { isLogin: true, isVip: false, isSvip: false, phone: "13812345678", vipExpire: 0, svipExpire: 0 };

test("a visitor is a 游客 and nothing else", () => {
  expect(userTags({ ...member, isLogin: false, phone: "" }, true)).toEqual({ tier: "游客", expiry: "", phone: "" });
});

test("the tier in use is told with its last day in China, the phone masked", () => {
  const expire = Date.UTC(2026, 10, 30, 17) / 1000;
  const both = { ...member, isSvip: true, svipExpire: expire, vipExpire: expire + 86_400 };
  expect(userTags(both, false)).toEqual({ tier: "SVIP", expiry: "2026-12-01", phone: "138****5678" });
  expect(userTags({ ...member, isVip: true, vipExpire: expire }, false).tier).toBe("VIP");
});

test("a phone goes out whole only where that was asked for", () => {
  expect(userTags(member, false).phone).toBe("138****5678");
  expect(userTags(member, true).phone).toBe("13812345678");
});
