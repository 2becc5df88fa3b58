import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { wordBytes } from "../../../../tests/support/word-file";
import { openScriptFile } from "./open-file";

test("reads the paragraphs and speakers of a Word document", async () => {
  const word = wordBytes(["沈砚：天刚亮。", "林小满：老板，这一行都是新到的吗？"]);
  const opened = await openScriptFile(new File([word], "清晨的菜市场.docx"));
  expect(opened).toMatchObject({
    ok: true,
    title: "清晨的菜市场",
    lines: [
      { name: "沈砚", text: "天刚亮。" },
      { name: "林小满", text: "老板，这一行都是新到的吗？" },
    ],
  });
});

test.each([
  ["a zip without a document", new File([zipSync({ "a.txt": strToU8("x") }).slice().buffer], "a.docx"), "unreadable"],
  ["a binary file", new File([new Uint8Array([0, 1, 2, 0, 0, 9])], "a.txt"), "unreadable"],
  ["a blank file", new File(["  \n "], "a.txt"), "empty"],
] as const)("refuses %s", async (_case, file, reason) => {
  expect(await openScriptFile(file)).toEqual({ ok: false, reason });
});
