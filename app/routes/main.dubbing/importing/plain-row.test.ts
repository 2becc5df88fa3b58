import fc from "fast-check";
import { expect, test } from "vitest";
import { toSpokenText } from "~/features/pasted/to-spoken-text";
import { parseScript } from "./script-text";
import { plainRow } from "./use-pending-imports";

test("a plain row is one line of a script as it is, whatever it says", () => {
  const marks = fc.constantFrom(
    "www.a.cn/b",
    "【1】",
    "：",
    "1. ",
    "（",
    "NOTE",
    "--",
    "#",
    "甲：",
    "00:01",
    "a",
    "好",
    " ",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(marks, fc.string()), { maxLength: 8 }), (parts) => {
      const text = parts.join("");
      if (!plainRow.test(text)) return;
      expect(toSpokenText(text)).toBe(text);
      const lines = parseScript(text);
      expect(lines.length).toBeLessThanOrEqual(1);
      expect(lines[0]?.startMs).toBeUndefined();
    }),
    { numRuns: 2000 },
  );
});
