import { buffer } from "node:stream/consumers";
import { createElement, type ReactElement } from "react";
import { renderToPipeableStream, renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { createHtmlStream } from "./entry.server";

const reactViewBytes = 2048;
const sentence = "中年女声，沉稳😀";

const streamed = (page: ReactElement): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const { pipe } = renderToPipeableStream(page, {
      onAllReady: () => buffer(pipe(createHtmlStream())).then(resolve, reject),
      onError: reject,
    });
  });

/** Chinese in text and in an attribute, after padding in strings that React's encoder still collects in one view. */
const pageAt = (offset: number) =>
  createElement(
    "main",
    null,
    ...("x".repeat(offset).match(/x{1,500}/g) ?? []),
    createElement("button", { "aria-label": sentence }, sentence),
    sentence.repeat(20),
  );

test("streams the text of renderToString at every offset of Chinese to the end of a chunk", async () => {
  const broken: number[] = [];
  for (let offset = 0; offset <= reactViewBytes; offset++) {
    const page = pageAt(offset);
    if ((await streamed(page)).toString("utf8") !== renderToString(page)) broken.push(offset);
  }
  expect(broken).toEqual([]);
});
