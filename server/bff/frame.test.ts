import { expect, test } from "vitest";
import { closedBannerCookie, findIcons, guessMobile, openBanner } from "./frame.server";

const tonight = { text: "今晚维护", link: null };
const tomorrow = { text: "明晚维护", link: null };
const close = (cookies: string, banner: typeof tonight) =>
  `a=1; ${closedBannerCookie(openBanner([banner], null)?.id ?? "", cookies).split(";")[0]}`;

test("a closed banner stays closed until its text changes", () => {
  expect(openBanner([tonight], "a=1")).toMatchObject(tonight);
  const cookies = close("a=1", tonight);
  expect(openBanner([tonight], cookies)).toBeNull();
  expect(openBanner([tomorrow], cookies)).toMatchObject(tomorrow);
  expect(openBanner([null], cookies)).toBeNull();
});

test("the second banner shows once the first is closed, and both stay closed", () => {
  expect(openBanner([tonight, tomorrow], null)).toMatchObject(tonight);
  const cookies = close("", tonight);
  expect(openBanner([tonight, tomorrow], cookies)).toMatchObject(tomorrow);
  expect(openBanner([tonight, tomorrow], close(cookies, tomorrow))).toBeNull();
});

const read = async (prefix: string, names: string[]) => JSON.parse((await findIcons(prefix, names)) ?? "null");

test("icons are returned in Iconify's format, unknown names under not_found", async () => {
  const subset = await read("lucide", ["headset", "no-such-icon", "headset"]);
  expect(subset).toMatchObject({ prefix: "lucide", not_found: ["no-such-icon"] });
  expect(Object.keys(subset.icons)).toEqual(["headset"]);
  expect(subset.icons.headset.body).toContain("currentColor");
  expect(subset).toMatchObject({ width: 24, height: 24 });
});

test("an alias includes its icon", async () => {
  const subset = await read("lucide", ["help-circle"]);
  const parent = subset.aliases["help-circle"].parent;
  expect(subset.icons[parent].body).toBeTruthy();
});

test("other icon sets, missing names, invalid names and too many names are refused", async () => {
  expect(await findIcons("mdi", ["home"])).toBeNull();
  expect(await findIcons("__proto__", ["home"])).toBeNull();
  expect(await findIcons("lucide", [])).toBeNull();
  expect(await findIcons("lucide", ["../../etc"])).toBeNull();
  expect(
    await findIcons(
      "lucide",
      Array.from({ length: 65 }, (_, i) => `a${i}`),
    ),
  ).toBeNull();
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
