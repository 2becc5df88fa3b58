import { expect, test } from "vitest";
import type { SquareHuman } from "~server/bff/roles.server";
import { together } from "./more";

const human = (roleId: string, useNum = 0) => ({ roleId, useNum }) as SquareHuman;

test("a human who moved to a later page between two answers is shown once, in the first place", () => {
  const shown = together([human("a"), human("b")], { humans: [human("b", 1), human("c")], loaded: 1 });
  expect(shown.map(({ roleId }) => roleId)).toEqual(["a", "b", "c"]);
});
