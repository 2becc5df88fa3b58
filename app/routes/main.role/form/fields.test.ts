import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { roleFormCopy } from "~/copy/roles";
import { randomPortrait } from "~server/portrait/random-portrait";
import {
  areTagsValid,
  type Fields,
  facesOf,
  findFaults,
  type Look,
  parseTags,
  toggleTag,
  toRoleInput,
  withHeardGender,
  withNewFaces,
} from "./fields";

const fields: Fields = { name: "阿月", describe: "", gender: "female", tags: "" };
const look: Look = { kind: "drawn", portrait: randomPortrait("female"), batch: 7, photo: null, face: null, avatar: "" };

test.each([
  ["name and drawn face", {}, {}, {}],
  ["no name", { name: "  " }, {}, { name: roleFormCopy.about.nameMissing }],
  ["a name of 21", { name: "字".repeat(21) }, {}, { name: roleFormCopy.about.nameLong }],
  ["eleven tags", { tags: "一 二 三 四 五 六 七 八 九 十 百" }, {}, { tags: roleFormCopy.about.tagsOver }],
  ["missing photo", {}, { kind: "photo" as const }, { look: roleFormCopy.look.missingPhoto }],
  ["local photo", {}, { kind: "photo" as const, photo: new Blob(["x"]) }, {}],
  ["uploaded photo", {}, { kind: "photo" as const, avatar: "/a.webp" }, {}],
])("findFaults reports the invalid fields of: %s", (_case, written, chosen, faults) => {
  expect(findFaults({ ...fields, ...written }, { ...look, ...chosen })).toEqual(faults);
});

describe("a drawn face", () => {
  const [woman, man] = [{ gender: "female" }, { gender: "male" }] as const;
  const offered = (place: number): Look => ({ ...look, portrait: facesOf(look.batch, woman)[place] ?? look.portrait });

  test.each([0, 3, 5])("that was chosen at place %d becomes the one at its place when the voice changes", (place) => {
    expect(withNewFaces(offered(place), woman, man).portrait).toEqual(facesOf(look.batch, man)[place]);
    expect(withNewFaces(offered(place), man, { ...man, pitchHz: 120 }).portrait).toEqual(offered(place).portrait);
  });

  test("that was tuned by hand stays", () => {
    const tuned: Look = { ...look, portrait: { ...offered(0).portrait, hair: "bald" } };
    expect(withNewFaces(tuned, woman, man)).toEqual(tuned);
  });
});

test.each([
  [110, {}, "male"],
  [220, {}, "female"],
  [220, { gender: "male", isGenderChosen: true }, "male"],
  [undefined, {}, "female"],
] as const)("a recording of %s Hz presets the gender of %j as %s", (pitchHz, written, gender) => {
  expect(withHeardGender({ ...fields, ...written }, pitchHz).gender).toBe(gender);
});

test("toRoleInput trims the texts and splits the tags", () => {
  expect(toRoleInput({ ...fields, name: " 阿月 ", describe: " 好 ", tags: "温和、清亮" })).toEqual({
    name: "阿月",
    describe: "好",
    gender: "female",
    tags: ["温和", "清亮"],
  });
});

test.each([
  ["温和 清亮、旁白", ["温和", "清亮", "旁白"]],
  ["，温和,,温和；", ["温和"]],
  ["  \u3000\n", []],
  ["", []],
])("parseTags of %j returns %j", (text, tags) => {
  expect(parseTags(text)).toEqual(tags);
});

test("toggleTag adds a tag, then removes it", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const tag = "温和";
      const once = toggleTag(text, tag);
      expect(parseTags(once).includes(tag)).toBe(!parseTags(text).includes(tag));
      expect(parseTags(toggleTag(once, tag)).sort()).toEqual(parseTags(text).sort());
    }),
  );
});

test("areTagsValid rejects an eleventh tag and a tag of 21 characters", () => {
  expect(areTagsValid(Array.from({ length: 10 }, (_, at) => `标${at}`))).toBe(true);
  expect(areTagsValid(Array.from({ length: 11 }, (_, at) => `标${at}`))).toBe(false);
  expect(areTagsValid(["字".repeat(21)])).toBe(false);
});
