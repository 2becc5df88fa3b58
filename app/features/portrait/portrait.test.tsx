import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { humans } from "~server/upstream/db/seed/seed";
import type { Viseme } from "./mouth";
import { parsePortrait } from "./parameters";
import { Portrait } from "./portrait";

const visemes: Viseme[] = ["sil", "PP", "FF", "TH", "DD", "kk", "CH", "SS", "nn", "RR", "aa", "E", "ih", "oh", "ou"];
const faces = humans.map((human) => {
  const portrait = parsePortrait(human.portrait);
  if (!portrait) throw new Error(`${human.name} has no face`);
  return portrait;
});

describe("Portrait", () => {
  test("renders every seeded digital human differently, in few bytes, without ids or inline styles", () => {
    const drawings = faces.map((portrait) => renderToStaticMarkup(<Portrait portrait={portrait} />));
    expect(new Set(drawings).size).toBe(humans.length);
    for (const svg of drawings) {
      expect(svg.length).toBeLessThan(4500);
      expect(svg).not.toMatch(/ (id|style)=/);
    }
  });

  test("maps fifteen visemes to eight mouths, and open mouths differ from the resting one", () => {
    const [portrait] = faces;
    if (!portrait) return;
    const mouths = visemes.map((viseme) => renderToStaticMarkup(<Portrait portrait={portrait} viseme={viseme} />));
    expect(new Set(mouths).size).toBe(8);
  });

  test("closes the eyes during a blink", () => {
    for (const portrait of faces) {
      const open = renderToStaticMarkup(<Portrait portrait={portrait} />);
      expect(renderToStaticMarkup(<Portrait blink portrait={portrait} />)).not.toBe(open);
    }
  });

  test("is hidden from assistive technology unless it has a title", () => {
    const [portrait] = faces;
    if (!portrait) return;
    expect(renderToStaticMarkup(<Portrait portrait={portrait} />)).toContain('aria-hidden="true"');
    expect(renderToStaticMarkup(<Portrait portrait={portrait} title="沈砚" />)).toContain('aria-label="沈砚" ');
  });
});
