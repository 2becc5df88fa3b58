import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { uncounted } from "~server/contract/calls/tolerant";
import { sendWithRetry, withTotal } from "./upstream-request.server";

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

const rows = (count: number) => Array.from({ length: count }, (_, at) => at);

it.each([
  ["a full page leads to another", { page: 2, pageSize: 3 }, rows(3), { list: [0, 1, 2], total: 7, isUncounted: true }],
  ["a part of a page is the last", { page: 2, pageSize: 3 }, rows(2), { list: [0, 1], total: 5 }],
  ["a whole list is cut into pages", { page: 2, pageSize: 3 }, rows(5), { list: [3, 4], total: 5 }],
  ["without paging, of ten", {}, rows(12), { list: rows(10), total: 12 }],
])("where an upstream does not count, %s", (_case, paging, list, expected) => {
  expect(withTotal({ list, total: uncounted }, paging)).toEqual(expected);
  expect(withTotal({ list, total: 99 }, paging)).toEqual({ list, total: 99 });
});
