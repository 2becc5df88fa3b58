import { expect, it } from "vitest";
import { mixes, packMix } from "./mixes";
import packed from "./mixes.json" with { type: "json" };
import { styleNames } from "./model";

it("keeps each mix as a row that reads back the same", () => {
  expect(mixes().map(packMix)).toEqual(packed);
});

it("lists mixes of the model's styles that are at least 0.45 Chinese, none twice", () => {
  for (const { styles } of mixes()) {
    const entries = Object.entries(styles);
    const sum = (parts: typeof entries) => parts.reduce((total, [, weight]) => total + weight, 0);
    expect(styleNames).toEqual(expect.arrayContaining(Object.keys(styles)));
    expect(sum(entries)).toBeCloseTo(1, 6);
    expect(sum(entries.filter(([name]) => name.startsWith("z")))).toBeGreaterThanOrEqual(0.45);
  }
  expect(new Set(mixes().map(({ styles }) => JSON.stringify(styles))).size).toBe(packed.length);
});
