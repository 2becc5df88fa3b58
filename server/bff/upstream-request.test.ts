import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { sendWithRetry } from "./upstream-request.server";

async function countSends(method: "GET" | "POST", status: number, retryAfter: string | null) {
  let sends = 0;
  const transport = async () => {
    sends += 1;
    return { status, header: () => retryAfter, body: Readable.from([]), text: async () => "" };
  };
  const url = new URL("http://upstream.test");
  await sendWithRetry(transport, { method, url, headers: {}, signal: new AbortController().signal });
  return sends;
}

it.each<[string, "GET" | "POST", [number, string | null], number]>([
  ["a failed POST", "POST", [503, null], 2],
  ["a POST that is to come back at once", "POST", [429, "0"], 2],
  ["a POST that is to come back in minutes", "POST", [429, "120"], 1],
  ["a POST that is to come back at a later time", "POST", [503, new Date(Date.now() + 60_000).toUTCString()], 1],
  ["a refused POST", "POST", [403, null], 1],
  ["a failed GET", "GET", [503, null], 1],
])("%s is sent as often as it should be", async (_case, method, answer, sends) => {
  expect(await countSends(method, ...answer)).toBe(sends);
});
