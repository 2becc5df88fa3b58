import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { consentStatements } from "~server/contract/consent";
import { recordingTips as tips } from "~server/contract/recording/quality";
import { errorSentences } from "./errors";
import { consentTexts, fileTips, microphoneSentence, recordingTips } from "./recording";

test.each(consentStatements)(
  "the displayed text of the statement $id matches the hash in the contract",
  ({ id, sha256 }) => {
    expect(createHash("sha256").update(consentTexts[id]).digest("hex")).toBe(sha256);
  },
);

const iPhone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";
const android = "Mozilla/5.0 (Linux; Android 15; 24031PN0DC) AppleWebKit/537.36 (KHTML, like Gecko)";
const chrome = "Chrome/142.0.0.0 Safari/537.36";
const mac = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)";

test.each([
  ["WeChat on an iPhone", `${iPhone} Mobile/22B83 MicroMessenger/8.0.54`, /微信里不能录音.*在浏览器打开/],
  [
    "WeChat on Android",
    `${android} Version/4.0 Chrome/130.0 Mobile MicroMessenger/8.0.54`,
    /微信里不能录音.*在浏览器打开/,
  ],
  ["QQ", `${android} MQQBrowser/6.2 Chrome/109.0 Mobile QQ/9.1.30.0`, /QQ 里不能录音.*在浏览器打开/],
  ["another app on an iPhone", `${iPhone} Mobile/22B83`, /在 Safari 浏览器打开/],
  ["another app on Android", `${android} Version/4.0 Chrome/130.0 Mobile`, /复制网址，在浏览器打开/],
])("without a microphone the way out of %s is said", (_name, userAgent, sentence) => {
  expect(microphoneSentence("unsupported", userAgent)).toMatch(sentence);
});

test.each([
  ["WeChat", `${android} Chrome/130.0 Mobile MicroMessenger/8.0.54`, /允许微信使用麦克风/],
  ["Safari on an iPhone", `${iPhone} Version/18.1 Mobile/15E148 Safari/604.1`, /“网站设置”里允许麦克风/],
  ["Chrome on an iPhone", `${iPhone} CriOS/142.0 Mobile/15E148 Safari/604.1`, /手机设置和浏览器/],
  ["Chrome on Android", `${android} Chrome/142.0 Mobile Safari/537.36`, /手机设置和浏览器/],
  ["Safari on a Mac", `${mac} Version/18.1 Safari/605.1.15`, /菜单“Safari 浏览器”/],
  ["Chrome", `Mozilla/5.0 (Windows NT 10.0) ${chrome}`, /地址栏左边的图标/],
  ["Firefox", "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", /麦克风图标/],
])("a refused microphone is allowed again in %s as the sentence says", (_name, userAgent, sentence) => {
  expect(microphoneSentence("denied", userAgent)).toMatch(sentence);
});

test.each(tips)("the advice %s on an uploaded file moves no microphone and asks for no reading", (tip) => {
  expect(fileTips[tip] ?? recordingTips[tip].sentence).not.toMatch(/麦克风|再录|再说一遍|念/);
});

test("a file that is no sound is refused without the offer of a recording, which a page may not have", () => {
  for (const code of ["reference-not-audio", "reference-truncated"] as const)
    expect(errorSentences[code]).not.toMatch(/录/);
});
