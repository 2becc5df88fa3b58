import { expect, test } from "vitest";
import { createPageRate, type RequestInfo, rejectRequest } from "./reject-request";

const ownOrigin = "https://example.com";
const form = { "content-type": "application/x-www-form-urlencoded", "content-length": "3" };
const own = { origin: ownOrigin, ...form };

function requestInfo(method: string, headers: Record<string, string> = {}, target = "/main/clone"): RequestInfo {
  return { method, target, headers: new Headers(headers), ownOrigin };
}

test.each([
  ["a page", requestInfo("GET")],
  ["a head", requestInfo("HEAD")],
  ["a page from another site's link", requestInfo("GET", { "sec-fetch-site": "cross-site" })],
  ["a form", requestInfo("POST", own)],
  ["a form from a browser without Origin", requestInfo("POST", { "sec-fetch-site": "same-origin", ...form })],
  [
    "an upload",
    requestInfo(
      "POST",
      { ...own, "content-type": "multipart/form-data; boundary=----x" },
      "/bff/uploads/recordingUpload",
    ),
  ],
  ["JSON", requestInfo("POST", { ...own, "content-type": "application/json; charset=utf-8" }, "/bff/trials")],
  ["an empty post", requestInfo("POST", { origin: ownOrigin })],
])("%s is accepted", (_name, accepted) => {
  expect(rejectRequest(accepted)).toBeNull();
});

const foreign = [
  "https://evil.example",
  "http://example.com",
  "https://example.com:8443",
  "https://example.com.evil.example",
  "null",
  "junk",
  "",
];

test.each([
  ...foreign.map((origin) => [403, `Origin ${origin}`, requestInfo("POST", { ...form, origin })] as const),
  [
    403,
    "a foreign Origin with a friendly Sec-Fetch-Site",
    requestInfo("POST", { ...form, origin: "https://evil.example", "sec-fetch-site": "same-origin" }),
  ],
  [403, "no Origin at all", requestInfo("POST", form)],
  [403, "same-site is not same-origin", requestInfo("POST", { ...form, "sec-fetch-site": "same-site" })],
  [403, "cross-site", requestInfo("DELETE", { "sec-fetch-site": "cross-site" })],
  [403, "a resource route", requestInfo("POST", form, "/bff/trials")],
  [
    403,
    "a spoofed X-Forwarded-Host",
    requestInfo("POST", { ...form, origin: "https://evil.example", "x-forwarded-host": "evil.example" }),
  ],
  [400, "_data on GET", requestInfo("GET", {}, "/?_data=root")],
  [400, "_data on POST", requestInfo("POST", own, "/?a=1&_data=routes%2F_index")],
  [400, "an absolute-form target", requestInfo("GET", {}, "http://evil.example/")],
  [400, "an asterisk", requestInfo("POST", own, "*")],
  [405, "HEAD of a page's data", requestInfo("HEAD", {}, "/main/clone.data?_routes=root")],
  [405, "OPTIONS", requestInfo("OPTIONS")],
  [405, "TRACE", requestInfo("TRACE")],
  [405, "PROPFIND", requestInfo("PROPFIND", own)],
  [415, "XML", requestInfo("POST", { ...own, "content-type": "application/xml" })],
  [415, "a multipart without boundary", requestInfo("POST", { ...own, "content-type": "multipart/form-data" })],
  [415, "an empty boundary", requestInfo("POST", { ...own, "content-type": "multipart/form-data; boundary=" })],
  [415, "a body without a type", requestInfo("POST", { origin: ownOrigin, "content-length": "5" })],
  [415, "a chunked body without a type", requestInfo("POST", { origin: ownOrigin, "transfer-encoding": "chunked" })],
  [415, "a junk type", requestInfo("POST", { ...own, "content-type": "junk" })],
] as const)("%i for %s", (status, _name, refused) => {
  expect(rejectRequest(refused)?.status).toBe(status);
});

test("an address gets a thousand pages in ten seconds; others, and this machine, go on", () => {
  let now = 0;
  const waitOf = createPageRate(() => now);
  const pages = (address: string) => Array.from({ length: 1001 }, () => waitOf(address)).filter((wait) => wait > 0);
  expect(pages("203.0.113.1")).toEqual([10]);
  expect(waitOf("203.0.113.2")).toBe(0);
  expect(pages("127.0.0.1")).toEqual([]);
  now = 10_000;
  expect(waitOf("203.0.113.1")).toBe(0);
});
