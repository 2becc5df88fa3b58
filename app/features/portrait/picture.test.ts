import { expect, test } from "vitest";
import { humans } from "~server/upstream/db/seed/seed";
import { toShownHuman, toSquareHuman } from "./picture";

const { portrait } = humans[0] ?? {};
const human = {
  roleId: "1",
  audioId: "1",
  name: "沈砚",
  describe: "沉稳男声",
  avatar: "",
  voiceUrl: "/v.mp3",
  timelineUrl: "",
  tags: ["沉稳"],
  gender: "male",
  language: "zh",
  useNum: 3,
  portrait,
  category: "",
};

test("a shown human has the fields that its card shows and no others", () => {
  expect(Object.keys(toShownHuman(human)).sort()).toEqual(["describe", "name", "portrait", "roleId", "voiceUrl"]);
  expect(toSquareHuman(human)).toMatchObject({ tags: ["沉稳"], useNum: 3 });
});

test("a photo omits the drawn portrait, and an invalid portrait is omitted", () => {
  expect(toShownHuman({ ...human, avatar: "/a.png" })).toMatchObject({ avatar: "/a.png" });
  expect(toShownHuman({ ...human, avatar: "/a.png" })).not.toHaveProperty("portrait");
  expect(toShownHuman({ ...human, portrait: { hair: "mohawk" } })).not.toHaveProperty("portrait");
});
