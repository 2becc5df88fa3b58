import { expect, test } from "vitest";
import { iconsOf } from "./frame.server";

const read = async (prefix: string, names: string[]) => JSON.parse((await iconsOf(prefix, names)) ?? "null");

test("the wanted icons come in Iconify's format, and what is not there is named", async () => {
  const subset = await read("lucide", ["headset", "no-such-icon", "headset"]);
  expect(subset).toMatchObject({ prefix: "lucide", not_found: ["no-such-icon"] });
  expect(Object.keys(subset.icons)).toEqual(["headset"]);
  expect(subset.icons.headset.body).toContain("currentColor");
  expect(subset).toMatchObject({ width: 24, height: 24 });
});

test("an alias brings the icon it stands for", async () => {
  const subset = await read("lucide", ["help-circle"]);
  const parent = subset.aliases["help-circle"].parent;
  expect(subset.icons[parent].body).toBeTruthy();
});

test("other sets, no names, strange names and too many of them are refused", async () => {
  expect(await iconsOf("mdi", ["home"])).toBeNull();
  expect(await iconsOf("__proto__", ["home"])).toBeNull();
  expect(await iconsOf("lucide", [])).toBeNull();
  expect(await iconsOf("lucide", ["../../etc"])).toBeNull();
  expect(
    await iconsOf(
      "lucide",
      Array.from({ length: 65 }, (_, i) => `a${i}`),
    ),
  ).toBeNull();
});
