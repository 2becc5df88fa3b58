import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { filmCopy } from "~/copy/film";
import type { FilmPerson } from "~/state/dialog-requests";
import { randomPortrait } from "~server/portrait/random-portrait";
import { FilmPreview } from "./film-preview";
import { type FilmLook, plainStyle } from "./films";

const woman = { roleId: "1", avatar: "", portrait: randomPortrait("female") };
const man = { roleId: "2", avatar: "", portrait: randomPortrait("male") };
const words = "山坡上的#0.5#桃花开(kai1)了。";
const look: FilmLook = { size: "9:16", background: "auto", captions: "burnt", style: plainStyle };
const show = (change: Partial<FilmLook> = {}, people: readonly FilmPerson[] = [woman, man, woman]) =>
  renderToStaticMarkup(<FilmPreview look={{ ...look, ...change }} people={people} text={words} />).replace(
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

test("the others listen, each once, and only where people are seen", () => {
  const listeners = (markup: string) => markup.match(/<clipPath id="listener-/g)?.length ?? 0;
  expect(listeners(show())).toBe(1);
  expect(listeners(show({}, [woman]))).toBe(0);
  expect(listeners(show({ style: { ...plainStyle, layout: "words" } }))).toBe(0);
});

test("each layout is another picture, and a title with a cover is shown twice", () => {
  const styled = (style: Partial<FilmLook["style"]>) => show({ style: { ...plainStyle, ...style } });
  expect(new Set((["face", "corner", "wave", "words"] as const).map((layout) => styled({ layout }))).size).toBe(4);
  const covered = styled({ title: "<桃花>", cover: true });
  expect(pictures(covered)).toBe(2);
  expect(covered).toContain("&#60;桃花&#62;");
});

test("the preview says what it shows", () => {
  expect(show()).toContain(filmCopy.preview("竖屏 9:16", "人物", "自动", "写在画面上"));
});
