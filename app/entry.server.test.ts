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

/** Places Chinese text and attributes after padding, because React's encoder collects short strings in one buffer. */
const pageAt = (offset: number) =>
  createElement(
    "main",
    null,
    ...("x".repeat(offset).match(/x{1,500}/g) ?? []),
    createElement("button", { "aria-label": sentence }, sentence),
    sentence.repeat(20),
  );

test("the stream equals renderToString for Chinese text at every offset from a chunk's end", async () => {
  const broken: number[] = [];
  for (let offset = 0; offset <= reactViewBytes; offset++) {
    const page = pageAt(offset);
    if ((await streamed(page)).toString("utf8") !== renderToString(page)) broken.push(offset);
  }
  expect(broken).toEqual([]);
});
