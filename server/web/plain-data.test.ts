import fc from "fast-check";
import { encode } from "turbo-stream";
import { expect, test } from "vitest";
import { encodePlain } from "./plain-data";

/** All that turbo-stream sends for the value. */
async function stream(value: unknown): Promise<string> {
  return new Response(encode(value)).text();
}

const plain = fc.dictionary(
  fc.string(),
  fc.anything({ withDate: true, withSparseArray: true, withNullPrototype: true, maxDepth: 4 }),
);

test("plain data is encoded as turbo-stream encodes it", async () => {
  await fc.assert(
    fc.asyncProperty(plain, async (data) => {
      expect(encodePlain(data)).toBe(await stream(data));
    }),
    { numRuns: 500 },
  );
});

test.each([
  ["repeated values", { a: "声", b: ["声", 1, 1, true, true], c: { a: "声" } }],
  ["the same object twice", ((shared) => ({ a: shared, b: shared }))({ x: 1 })],
  ["special numbers", { a: [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, 0, -0] }],
  ["no value", { a: undefined, b: null, c: [undefined, null] }],
  ["markup and line ends", { a: "</script>\u2028\n" }],
])("%s are encoded as turbo-stream encodes them", async (_, data) => {
  expect(encodePlain(data)).toBe(await stream(data));
});

test.each([
  ["a promise", Promise.resolve(1)],
  ["a function", () => 1],
  ["a big integer", 1n],
  ["a map", new Map()],
  ["an address", new URL("http://localhost/")],
  ["an error", new Error("no")],
])("data with %s is not encoded", (_, value) => {
  expect(encodePlain({ list: [{ value }] })).toBeNull();
});
