import { expect, test } from "vitest";
import { findIcons, openBanner } from "./frame.server";

test("a closed banner stays closed until its text changes", () => {
  const shown = openBanner({ text: "今晚维护", link: null }, "a=1");
  expect(shown).toMatchObject({ text: "今晚维护" });
  const cookies = `a=1; banner-closed=${shown?.id}`;
  expect(openBanner({ text: "今晚维护", link: null }, cookies)).toBeNull();
  expect(openBanner({ text: "明晚维护", link: null }, cookies)).not.toBeNull();
  expect(openBanner(null, cookies)).toBeNull();
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
