import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { Menu } from "./menu";

test("a closed menu is its button alone and does not make its items", () => {
  const items = () => {
    throw new Error("made");
  };
  const html = renderToString(<Menu items={items}>导出</Menu>);
  expect(html).toMatch(/^<button aria-expanded="false" aria-haspopup="menu" id="[^"]+" type="button">导出<\/button>$/);
});
