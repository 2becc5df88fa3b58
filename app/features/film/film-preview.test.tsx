import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { filmCopy } from "~/copy/film";
import { randomPortrait } from "~server/portrait/random-portrait";
import { FilmPreview } from "./film-preview";

const woman = { roleId: "1", avatar: "", portrait: randomPortrait("female") };
const man = { roleId: "2", avatar: "", portrait: randomPortrait("male") };
const words = "山坡上的#0.5#桃花开(kai1)了。";
const look = { size: "9:16", background: "auto", captions: "burnt" } as const;
const show = (change: Partial<Parameters<typeof FilmPreview>[0]> = {}) =>
  renderToStaticMarkup(<FilmPreview people={[woman, man, woman]} text={words} {...look} {...change} />).replace(
    /(%[\dA-F]{2})+/g,
    decodeURIComponent,
  );
const pictures = (markup: string) => markup.match(/<img/g)?.length;

test.each([
  ["9:16", 'viewBox="0 0 720 1280"'],
  ["1:1", 'viewBox="0 0 720 720"'],
  ["16:9", 'viewBox="0 0 1280 720"'],
] as const)("the preview has the layout %s", (size, viewBox) => {
  expect(show({ size })).toContain(viewBox);
});

test("each background is another picture, and auto is paper", () => {
  expect(new Set((["paper", "moon", "ink"] as const).map((background) => show({ background }))).size).toBe(3);
  const unnamed = (markup: string) => markup.replace(/aria-label="[^"]*"/, "");
  expect(unnamed(show({ background: "paper" }))).toBe(unnamed(show()));
});

test("the first words stand in the picture where they are burnt in, and the label always", () => {
  expect(show()).toContain("山坡上的桃花开了。");
  for (const captions of ["file", "none"] as const) expect(show({ captions })).not.toContain("山坡上的");
  for (const captions of ["burnt", "none"] as const) expect(show({ captions })).toContain("AI 生成");
});

test("the others listen, each once, and a photo stands before the background", () => {
  expect(pictures(show())).toBe(2);
  expect(pictures(show({ people: [woman] }))).toBe(1);
  const photographed = { ...woman, avatar: "/a.webp" };
  expect(show({ people: [photographed] })).toMatch(/<img[^>]*inset-0 h-full w-full"[^>]*a\.webp/);
  expect(show({ people: [photographed], background: "moon" })).toMatch(/<img[^>]*rounded-full"[^>]*a\.webp/);
});

test("the preview says what it shows", () => {
  expect(show()).toContain(filmCopy.preview("竖屏 9:16", "自动", "写在画面上"));
});
