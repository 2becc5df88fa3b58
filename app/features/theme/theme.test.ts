import { expect, test } from "vitest";
import { colorModeCookie, readColorMode } from "./color-mode";
import { guessMobile } from "./device";

test("the chosen colour mode is read back among other cookies", () => {
  expect(readColorMode(`a=1; ${colorModeCookie("dark")}`)).toBe("dark");
  expect(readColorMode("my-color-mode=dark; color-mode=pink")).toBe("system");
  expect(readColorMode(null)).toBe("system");
});

test("the choice lives 356 days", () => {
  expect(colorModeCookie("light")).toContain("Max-Age=30758400");
});

test.each([
  [{ "sec-ch-ua-mobile": "?1" }, true],
  [{ "sec-ch-ua-mobile": "?0", "user-agent": "Android Mobile" }, false],
  [{ "user-agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X)" }, true],
  [{ "user-agent": "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Mobile Safari/537.36" }, true],
  [{ "user-agent": "Mozilla/5.0 (Linux; Android 14; SM-X710) AppleWebKit/537.36 Safari/537.36" }, false],
  [{ "user-agent": "Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X)" }, false],
  [{}, false],
])("%j is guessed to be a phone: %s", (headers, mobile) => {
  expect(guessMobile(new Headers(headers as Record<string, string>))).toBe(mobile);
});
