import { expect, test } from "vitest";
import { askToConfirm } from "./dialog-requests";

test("a confirmation that is replaced by another one is cancelled", async () => {
  const first = askToConfirm({ text: "1" });
  void askToConfirm({ text: "2" });
  expect(await first).toBe(false);
});
