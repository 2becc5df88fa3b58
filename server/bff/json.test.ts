import fc from "fast-check";
import { expect, test } from "vitest";
import { parseUntrustedJson } from "./upstream-call.server";

const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

test("JSON nested deeper than 64 levels is refused", () => {
  expect(parseUntrustedJson(nested(64))).toHaveLength(1);
  for (const depth of [65, 100_000]) expect(() => parseUntrustedJson(nested(depth))).toThrow(SyntaxError);
  const objects = `${'{"a":'.repeat(70)}1${"}".repeat(70)}`;
  expect(() => parseUntrustedJson(objects)).toThrow(SyntaxError);
  expect(() => parseUntrustedJson(`{"\\u0061":${nested(100_000)}}`)).toThrow(SyntaxError);
});

test("__proto__ keys are dropped, plain or escaped", () => {
  for (const key of ["__proto__", "\\u005f_proto__"]) {
    const read = parseUntrustedJson(`{"list":[{"${key}":{"isAdmin":true},"a":1}]}`) as { list: object[] };
    expect(read).toEqual({ list: [{ a: 1 }] });
    expect(Object.getPrototypeOf(read.list[0])).toBe(Object.prototype);
  }
});

test("other JSON is parsed unchanged", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 10 }), (value) => {
      const text = JSON.stringify(value);
      fc.pre(!text.includes("__proto__"));
      expect(JSON.stringify(parseUntrustedJson(text))).toBe(JSON.stringify(JSON.parse(text)));
    }),
  );
});
