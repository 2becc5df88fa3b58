import { expect, test } from "vitest";
import { canLogIn, cleanCode, cleanPhone, faultBeforeLogin, faultBeforeSending } from "./use-login";

const phone = "13812345678";
const filled = { phone, code: "123456", isCodeSent: true };

test("no code is requested for an invalid phone", () => {
  expect(faultBeforeSending("")).toBe("请先输入手机号");
  for (const wrong of ["1381234567", "12812345678", "23812345678", "1381234567a", "１３８12345678"])
    expect(faultBeforeSending(wrong), wrong).toBe("手机号格式不正确");
  for (const second of "3456789") expect(faultBeforeSending(`1${second}812345678`)).toBeNull();
});

test.each([
  ["no phone", { ...filled, phone: "" }, { where: "phone", sentence: "请输入手机号" }],
  ["a wrong phone", { ...filled, phone: "12345678901" }, { where: "phone", sentence: "手机号格式不正确" }],
  [
    "no code sent",
    { ...filled, isCodeSent: false },
    { where: "code", sentence: "请先发送验证码", notice: "请先发送验证码!" },
  ],
  ["no code", { ...filled, code: "" }, { where: "code", sentence: "请输入验证码", notice: "请输入验证码!" }],
])("submitting %s shows the error of that field", (_case, input, fault) => {
  expect(faultBeforeLogin(input)).toEqual(fault);
});

test("the login button is enabled after a code was sent, with a phone and six characters", () => {
  expect(faultBeforeLogin(filled)).toBeNull();
  expect(canLogIn(filled)).toBe(true);
  expect(canLogIn({ ...filled, isCodeSent: false })).toBe(false);
  expect(canLogIn({ ...filled, phone: "" })).toBe(false);
  expect(canLogIn({ ...filled, code: "12345" })).toBe(false);
});

test.each([
  "+86 138-1234-5678",
  "+86 138 1234 5678",
  "8613812345678",
  "0086 (138) 12345678",
  "１３８１２３４５６７８",
  "+86\u00a0138 1234 5678",
  "138–1234–5678 ",
  "138123456789",
  "\u202d+86 138 1234 5678\u202c",
  "\u202a13812345678\u200f",
  "tel:+8613812345678",
])("the phone %s is read without separators and country code", (text) => {
  expect(cleanPhone(text)).toBe(phone);
  // Typed or filled in character by character.
  let typed = "";
  for (const char of text) typed = cleanPhone(typed + char);
  expect(typed).toBe(phone);
});

test("separators and words are removed from codes", () => {
  expect(cleanCode("１２３ ４５６")).toBe("123456");
  expect(cleanCode("【声像】验证码 123456，5 分钟内有效")).toBe("123456");
  expect(cleanCode("123 456")).toBe("123456");
});
