import { describe, expect, test } from "vitest";
import { dark, light } from "./palette";

function luminance(hex: string) {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string) {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

describe.each([
  ["light", light],
  ["dark", dark],
] as const)("the %s palette", (_mode, palette) => {
  test.each(["ink", "muted", "seal", "celadon", "gold"] as const)(
    "has readable text in %s on every background",
    (text) => {
      for (const ground of ["paper", "surface", "wash"] as const)
        expect(contrast(palette[text], palette[ground])).toBeGreaterThanOrEqual(4.5);
    },
  );

  test("has readable text on filled shapes", () => {
    expect(contrast(palette["on-seal"], palette.seal)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(palette["on-seal"], palette["seal-hover"])).toBeGreaterThanOrEqual(4.5);
    expect(contrast(palette["on-celadon"], palette.celadon)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(palette.paper, palette.ink)).toBeGreaterThanOrEqual(4.5);
  });

  test("has control borders that contrast with their background", () => {
    expect(contrast(palette.edge, palette.surface)).toBeGreaterThanOrEqual(3);
  });
});
