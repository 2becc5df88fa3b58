import { expect, test } from "vitest";
import { colorModeCookie, readColorMode, toDevice } from "./theme";

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
