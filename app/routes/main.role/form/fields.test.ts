import { expect, test } from "vitest";
import { roleFormCopy } from "~/copy/roles";
import { randomPortrait } from "~/features/portrait/random";
import { type Fields, faultsOf, type Look, toAbout } from "./fields";

const fields: Fields = { name: "阿月", describe: "", gender: "female", tags: "" };
const look: Look = { kind: "drawn", portrait: randomPortrait("female"), photo: null, avatar: "" };

test.each([
  ["a name and a drawn face do", {}, {}, {}],
  ["no name", { name: "  " }, {}, { name: roleFormCopy.about.nameMissing }],
  ["a name of 21", { name: "字".repeat(21) }, {}, { name: roleFormCopy.about.nameLong }],
  ["eleven tags", { tags: "一 二 三 四 五 六 七 八 九 十 百" }, {}, { tags: roleFormCopy.about.tagsOver }],
  ["no photo yet", {}, { kind: "photo" as const }, { look: roleFormCopy.look.missingPhoto }],
  ["a photo here", {}, { kind: "photo" as const, photo: new Blob(["x"]) }, {}],
  ["a photo there", {}, { kind: "photo" as const, avatar: "/a.webp" }, {}],
])("%s", (_case, written, chosen, faults) => {
  expect(faultsOf({ ...fields, ...written }, { ...look, ...chosen })).toEqual(faults);
});

test("what is sent is trimmed, tags apart", () => {
  expect(toAbout({ ...fields, name: " 阿月 ", describe: " 好 ", tags: "温和、清亮" })).toEqual({
    name: "阿月",
    describe: "好",
    gender: "female",
    tags: ["温和", "清亮"],
  });
});
