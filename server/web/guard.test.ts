import { expect, test } from "vitest";
import { type Knock, rebuff } from "./guard";

const ownOrigin = "https://example.com";
const form = { "content-type": "application/x-www-form-urlencoded", "content-length": "3" };
const own = { origin: ownOrigin, ...form };

function knock(method: string, headers: Record<string, string> = {}, target = "/main/clone"): Knock {
  return { method, target, headers: new Headers(headers), ownOrigin };
}

test.each([
  ["a page", knock("GET")],
  ["a head", knock("HEAD")],
  ["a page from another site's link", knock("GET", { "sec-fetch-site": "cross-site" })],
  ["a form", knock("POST", own)],
  ["a form from a browser without Origin", knock("POST", { "sec-fetch-site": "same-origin", ...form })],
  [
    "an upload",
    knock("POST", { ...own, "content-type": "multipart/form-data; boundary=----x" }, "/bff/uploads/recordings"),
  ],
  ["JSON", knock("POST", { ...own, "content-type": "application/json; charset=utf-8" }, "/bff/trials")],
  ["an empty post", knock("POST", { origin: ownOrigin })],
])("the request guard accepts %s", (_name, passing) => {
  expect(rebuff(passing)).toBeNull();
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
  ...foreign.map((origin) => [403, `Origin ${origin}`, knock("POST", { ...form, origin })] as const),
  [
    403,
    "a foreign Origin with a friendly Sec-Fetch-Site",
    knock("POST", { ...form, origin: "https://evil.example", "sec-fetch-site": "same-origin" }),
  ],
  [403, "no Origin at all", knock("POST", form)],
  [403, "same-site is not same-origin", knock("POST", { ...form, "sec-fetch-site": "same-site" })],
  [403, "cross-site", knock("DELETE", { "sec-fetch-site": "cross-site" })],
  [403, "a resource route", knock("POST", form, "/bff/trials")],
  [
    403,
    "a spoofed X-Forwarded-Host",
    knock("POST", { ...form, origin: "https://evil.example", "x-forwarded-host": "evil.example" }),
  ],
  [400, "_data on GET", knock("GET", {}, "/?_data=root")],
  [400, "_data on POST", knock("POST", own, "/?a=1&_data=routes%2F_index")],
  [400, "an absolute-form target", knock("GET", {}, "http://evil.example/")],
  [400, "an asterisk", knock("POST", own, "*")],
  [405, "HEAD of a page's data", knock("HEAD", {}, "/main/clone.data?_routes=root")],
  [405, "OPTIONS", knock("OPTIONS")],
  [405, "TRACE", knock("TRACE")],
  [405, "PROPFIND", knock("PROPFIND", own)],
  [415, "XML", knock("POST", { ...own, "content-type": "application/xml" })],
  [415, "a multipart without boundary", knock("POST", { ...own, "content-type": "multipart/form-data" })],
  [415, "an empty boundary", knock("POST", { ...own, "content-type": "multipart/form-data; boundary=" })],
  [415, "a body without a type", knock("POST", { origin: ownOrigin, "content-length": "5" })],
  [415, "a chunked body without a type", knock("POST", { origin: ownOrigin, "transfer-encoding": "chunked" })],
  [415, "a junk type", knock("POST", { ...own, "content-type": "junk" })],
] as const)("the request guard returns %i for %s", (status, _name, refused) => {
  expect(rebuff(refused)?.status).toBe(status);
});
