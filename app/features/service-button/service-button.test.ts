import { expect, test } from "vitest";
import { heightPx, marginPx, spotStyle, widthPx } from "./service-button";

test("the button starts 20 px from the corner and above the player", () => {
  expect(spotStyle([0, 0], 0)).toEqual({
    right: `clamp(0px, 20px, 100% - ${widthPx}px)`,
    bottom: `clamp(var(--player, 0px), var(--player, 0px) + 20px, 100% - ${heightPx}px)`,
  });
  expect(marginPx).toBe(20);
});

test("dragging left or up increases the distance from the corner, and the button never covers a notice", () => {
  const { right, bottom } = spotStyle([-100, -50], 40);
  expect(right).toContain("120px");
  expect(bottom).toContain("+ 70px");
  expect(bottom).toContain(`100% - ${heightPx + 40}px`);
});
