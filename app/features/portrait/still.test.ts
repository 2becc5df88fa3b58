import { expect, test } from "vitest";
import { listenToPictureFailures, reportPictureFailure } from "./still";

test("load failures are queued for a listener and delivered to the newest one", () => {
  const [first, second]: [string[], string[]] = [[], []];
  reportPictureFailure("a");
  const stop = listenToPictureFailures((address) => first.push(address));
  reportPictureFailure("b");
  listenToPictureFailures((address) => second.push(address));
  stop();
  reportPictureFailure("c");
  expect([first, second]).toEqual([["a", "b"], ["c"]]);
});
