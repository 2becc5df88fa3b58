import type { LookupAddress } from "node:dns";
import { expect, test } from "vitest";
import { blockedAddresses, createEncodings } from "../../tests/support/address-encodings";
import { publicLookup } from "../public-address";
import { findFileAddress, findMissingSetting } from "./file-address.server";

const places = {
  base: "https://api.example.com",
  filePaths: ["/uploads/", "/static/voice/"],
  fileOrigins: ["https://cdn.example.com", "http://10.0.0.8", "http://localhost:9000"],
};
const under = { base: "https://example.com/backend", filePaths: ["/backend/"], fileOrigins: [] };

test.each([
  ["/api/v1/files/a.mp3", "https://api.example.com/api/v1/files/a.mp3"],
  ["/api/v1/files/a.mp3?download=1", "https://api.example.com/api/v1/files/a.mp3?download=1"],
  ["https://api.example.com/api/v1/files/a.mp3", "https://api.example.com/api/v1/files/a.mp3"],
  ["https://api.example.com/uploads/a.mp3", "https://api.example.com/uploads/a.mp3"],
  ["https://API.example.com:443/uploads/2026/11/a.mp3", "https://api.example.com/uploads/2026/11/a.mp3"],
  ["/uploads/a.mp3?t=1&sign=ab-c", "https://api.example.com/uploads/a.mp3?t=1&sign=ab-c"],
  ["/static/voice/a.mp3", "https://api.example.com/static/voice/a.mp3"],
  ["/api/v1/files/a", "https://api.example.com/api/v1/files/a"],
  ["uploads/v1.mp3", "https://api.example.com/uploads/v1.mp3"],
  ["http://10.0.0.8/a.mp3", "http://10.0.0.8/a.mp3"],
  ["http://localhost:9000/a.mp3", "http://localhost:9000/a.mp3"],
  ["https://cdn.example.com/x/a.mp3", "https://cdn.example.com/x/a.mp3"],
  ["https://cdn.example.com/a.mp3?Signature=a%2Fb%3D", "https://cdn.example.com/a.mp3?Signature=a%2Fb%3D"],
])("the address %s is a file", (reference, url) => {
  expect(findFileAddress(reference, places)?.url.href).toBe(url);
});

test("a path is resolved below the upstream's prefix", () => {
  for (const reference of ["/api/v1/files/a.mp3", "/backend/api/v1/files/a.mp3"])
    expect(findFileAddress(reference, under)?.url.href).toBe("https://example.com/backend/api/v1/files/a.mp3");
  expect(findFileAddress("/backend/media/a.mp3", under)?.url.href).toBe("https://example.com/backend/media/a.mp3");
  for (const reference of [
    "https://example.com/other/a.mp3",
    "https://example.com/api/v1/files/a.mp3",
    "/media/a.mp3",
    "/backend/api/v1/users/info",
  ])
    expect(findFileAddress(reference, under)).toBeNull();
});

test("a place that is set is not named as missing", () => {
  for (const reference of ["http://10.0.0.8/a.mp3", "/uploads/a.mp3?x=%2e", "/uploads/../a.mp3"])
    expect(findMissingSetting(reference, places)).toBeNull();
  expect(findMissingSetting("http://10.0.0.9/a.mp3", places)).toEqual({
    ...{ setting: "FILE_ORIGINS", value: "http://10.0.0.9" },
  });
  expect(findMissingSetting("files/v1.mp3", places)).toEqual({ setting: "FILE_PATHS", value: "/files/" });
});

test("only addresses that end in .json are timelines", () => {
  expect(findFileAddress("/api/v1/files/a.json", places)?.isTimeline).toBe(true);
  expect(findFileAddress("/api/v1/files/a.mp3", places)?.isTimeline).toBe(false);
});

test.each([
  "",
  "a.mp3",
  "//evil.example/a.mp3",
  "///evil.example/a.mp3",
  "/\\evil.example/a.mp3",
  "\\\\evil.example",
  "/\t/evil.example",
  "https://evil.example/a.mp3",
  "https://api.example.com.evil.example/a.mp3",
  "https://api.example.com@evil.example/a.mp3",
  "https://user:pass@api.example.com/api/v1/files/a.mp3",
  "https://user@api.example.com/api/v1/files/a.mp3",
  "http://api.example.com/api/v1/files/a.mp3",
  "https://api.example.com:8443/api/v1/files/a.mp3",
  "/other/a.mp3",
  "/uploadsx/a.mp3",
  "/uploads/",
  "/uploads/../api/v1/users/logout",
  "/uploads/a%2emp3",
  "/uploads/a.mp3?x=%2e",
  "/api/v1/files/a/b.mp3",
  "/api/v1/files/a.mp3;x",
  "/api/v1/files/a.mp3?link=1",
  "/api/v1/files/.mp3",
  "https://cdn.example.com/x/%61.mp3",
  `/uploads/${"a".repeat(3000)}.mp3`,
  "/api/v1/users/logout",
  "/api/v1/users/info",
  "/api/v1/files/../users/logout",
  "/api/v1/files/%2e%2e/users/logout",
  "/api/v1/files/..%2fusers/logout",
  "/api/v1/files/..%5cusers",
  "/api/v1/files/a%00.mp3",
  "/x/../api/v1/users/logout",
  "/API/v1/users/logout",
  "/api/v2/x",
  "https://api.example.com/api/v1/files/a.mp3#x",
  "file:///etc/passwd",
  "data:audio/wav;base64,AAAA",
  "javascript:alert(1)",
  "ftp://api.example.com/a",
  "gopher://api.example.com/a",
  "http://127.0.0.1/a",
  "http://2130706433/a",
  "http://0x7f.1/a",
  "http://[::1]/a",
  "http://[::ffff:127.0.0.1]/a",
  "http://169.254.169.254/latest/meta-data",
  "https://api.example.com/api/v1/files/a\r\nX: y",
])("the address %j is not a file", (reference) => {
  expect(findFileAddress(reference, places)).toBeNull();
});

test("no encoding of another API address is accepted as a file", () => {
  for (const address of blockedAddresses) {
    const spellings = createEncodings(address, "/api/v1/files/own.webp");
    expect(spellings).toHaveLength(200);
    for (const spelling of spellings)
      for (const reference of [spelling, `https://api.example.com${spelling}`, `https://cdn.example.com@x${spelling}`])
        expect(findFileAddress(reference, places), reference).toBeNull();
  }
});

const look = (hostname: string) =>
  new Promise<string | LookupAddress[]>((resolve, reject) => {
    publicLookup(hostname, {}, (error, address) => (error ? reject(error) : resolve(address)));
  });

test("a host name that resolves to a private address is refused", async () => {
  await expect(look("localhost")).rejects.toThrow("not a public address");
});
