import { expect, test } from "vitest";
import { errorCodes } from "~server/contract/codes";
import { errorSentences, sentenceFor } from "./errors";

test("every error code has its own message or the specification's fallback message", () => {
  for (const code of errorCodes) expect(errorSentences[code]).toMatch(/\p{Script=Han}/u);
});

test("the specification's messages are used verbatim", () => {
  expect(errorSentences["login-expired"]).toBe("登录过期");
  expect(errorSentences["too-large"]).toBe("请文件过大请减小文件大小或压缩后再试");
  expect(errorSentences["request-failed"]).toBe("请求失败");
  expect(errorSentences.network).toBe("网络异常");
  expect(errorSentences["too-many"]).toBe("你点击的太频繁了，喝口水后再试吧~");
});

test("the upstream's message takes precedence over the message of the code", () => {
  expect(sentenceFor({ code: "failure", message: "今天不开门" })).toBe("今天不开门");
  expect(sentenceFor({ code: "failure" })).toBe("请求失败");
  expect(sentenceFor({ code: "toString" })).toBe("请求失败");
});

test("code 1001 shows the upstream's message, else the message of its reason", () => {
  expect(sentenceFor({ code: "entitlement", message: "名额已满", data: { reason: "trial" } })).toBe("名额已满");
  expect(sentenceFor({ code: "entitlement", data: { reason: "trial" } })).toBe("试用次数已用完。");
  expect(sentenceFor({ code: "entitlement", data: { reason: "quota" } })).toBe("字数不足。");
  expect(sentenceFor({ code: "entitlement" })).toBe("请求失败");
});
