import { expect, test } from "vitest";
import { openBanner } from "./frame.server";

test("a closed notice stays closed until its words change", () => {
  const shown = openBanner({ text: "今晚维护", link: null }, "a=1");
  expect(shown).toMatchObject({ text: "今晚维护" });
  const cookies = `a=1; banner-closed=${shown?.id}`;
  expect(openBanner({ text: "今晚维护", link: null }, cookies)).toBeNull();
  expect(openBanner({ text: "明晚维护", link: null }, cookies)).not.toBeNull();
  expect(openBanner(null, cookies)).toBeNull();
});
