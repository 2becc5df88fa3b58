import { expect, test } from "vitest";
import { askToConfirm } from "./confirm";

test("a question that another one displaces is cancelled", async () => {
  const first = askToConfirm({ text: "1" });
  void askToConfirm({ text: "2" });
  expect(await first).toBe(false);
});
