import { expect, test } from "vitest";
import { colorModeCookie, guessMobile, readColorMode, toDevice } from "./theme";

test("the colour mode is read from a header with other cookies", () => {
  expect(readColorMode(`a=1; ${colorModeCookie("dark")}`)).toBe("dark");
  expect(readColorMode("my-color-mode=dark; color-mode=pink")).toBe("system");
  expect(readColorMode(null)).toBe("system");
});

test("the cookie expires after 356 days", () => {
  expect(colorModeCookie("light")).toContain("Max-Age=30758400");
});

test.each([
  [767, false, { isMobile: true, isTablet: false }],
  [768, true, { isMobile: false, isTablet: true }],
  [1024, true, { isMobile: false, isTablet: true }],
  [1024, false, { isMobile: false, isTablet: false }],
  [1025, true, { isMobile: false, isTablet: false }],
])("the layout of %d px with a coarse pointer %s is %j", (width, hasCoarsePointer, device) => {
  expect(toDevice(width, hasCoarsePointer)).toEqual(device);
});

test.each([
  [{ "sec-ch-ua-mobile": "?1" }, true],
  [{ "sec-ch-ua-mobile": "?0", "user-agent": "Android Mobile" }, false],
  [{ "user-agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X)" }, true],
  [{ "user-agent": "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Mobile Safari/537.36" }, true],
  [{ "user-agent": "Mozilla/5.0 (Linux; Android 14; SM-X710) AppleWebKit/537.36 Safari/537.36" }, false],
  [{ "user-agent": "Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X)" }, false],
  [{}, false],
])("the user agent %j is detected as a phone: %s", (headers, mobile) => {
  expect(guessMobile(new Headers(headers as Record<string, string>))).toBe(mobile);
});
