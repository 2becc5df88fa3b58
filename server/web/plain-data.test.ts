import fc from "fast-check";
import { encode } from "turbo-stream";
import { expect, test } from "vitest";
import { encodePlain } from "./plain-data";

/** All that turbo-stream sends for the value. */
async function stream(value: unknown): Promise<string> {
  return new Response(encode(value)).text();
}

const numbers = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const values = [fc.string(), fc.boolean(), numbers, fc.constant(null), fc.constant(undefined)];
const plain = fc.object({ values, key: fc.string(), maxDepth: 5 });

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
  ["missing values", { a: undefined, b: null, c: [undefined, null] }],
  ["markup and line ends", { a: "</script>\u2028\n" }],
])("%s are encoded as turbo-stream encodes them", async (_, data) => {
  expect(encodePlain(data)).toBe(await stream(data));
});

test.each([
  ["a promise", Promise.resolve(1)],
  ["a function", () => 1],
  ["a big integer", 1n],
  ["infinity", Number.POSITIVE_INFINITY],
  ["negative zero", -0],
  ["a date", new Date(0)],
  ["a map", new Map()],
  ["an error", new Error("no")],
  ["an object without a prototype", Object.create(null)],
])("data with %s is not encoded", (_, value) => {
  expect(encodePlain({ list: [{ value }] })).toBeNull();
});
