import { expect, test } from "vitest";
import { formatSpeed } from "./player";

test("a speed reads as a factor", () => {
  expect(formatSpeed(0.75)).toBe("0.75x");
  expect(formatSpeed(1)).toBe("1x");
});
