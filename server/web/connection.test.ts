import type { IncomingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { createConnectionReader, createHostCheck } from "./connection";

const from = (remoteAddress: string, headers: IncomingHttpHeaders = {}) => ({
  headers: { host: "example.com", ...headers },
  socket: { remoteAddress } as Socket,
});

test("forwarding headers are ignored without trusted proxies", () => {
  const connection = createConnectionReader([])(
    from("203.0.113.9", {
      "x-forwarded-for": "1.2.3.4",
      "x-forwarded-proto": "https",
      "x-forwarded-host": "evil.example",
    }),
  );
  expect(connection).toMatchObject({ clientAddress: "203.0.113.9", protocol: "http", host: "example.com" });
});

test.each([
  ["1.2.3.4", "1.2.3.4"],
  ["9.9.9.9, 1.2.3.4", "1.2.3.4"],
  ["9.9.9.9, 1.2.3.4, 10.1.2.3", "1.2.3.4"],
  ["1.2.3.4:5678", "1.2.3.4"],
  ["[2001:db8:1:2:3:4:5:6]:443", "2001:db8:1:2::"],
  ["::ffff:1.2.3.4", "1.2.3.4"],
  ["junk, 10.1.2.3", "10.1.2.3"],
  ["junk", "10.0.0.1"],
  ["", "10.0.0.1"],
])("X-Forwarded-For %j of a trusted proxy resolves to %s", (forwarded, client) => {
  const readConnection = createConnectionReader(["10.0.0.0/8"]);
  expect(readConnection(from("::ffff:10.0.0.1", { "x-forwarded-for": forwarded })).clientAddress).toBe(client);
});

test("a trusted proxy's scheme and host are used", () => {
  const connection = createConnectionReader(["10.0.0.1"])(
    from("10.0.0.1", { "x-forwarded-proto": "https", "x-forwarded-host": "Sound.Example" }),
  );
  expect(connection).toMatchObject({ protocol: "https", host: "sound.example", isDirect: false });
});

test("addresses of one IPv6 /64 count as one client", () => {
  const readConnection = createConnectionReader([]);
  const [a, b, c] = ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:db8:1:3::1"].map(
    (address) => readConnection(from(address)).clientAddress,
  );
  expect(a).toBe(b);
  expect(a).not.toBe(c);
});

test("an invalid entry of TRUSTED_PROXIES throws", () => {
  expect(() => createConnectionReader(["proxy.internal"])).toThrow("TRUSTED_PROXIES: proxy.internal");
});

const whole = { role: "all", payments: { wechatPay: undefined, alipay: undefined } } as const;
const demo = createHostCheck({ ...whole, mode: "demo", siteUrl: null });
const production = createHostCheck({ ...whole, mode: "production", siteUrl: "https://example.com" });

test.each(["localhost:3000", "localhost", "127.0.0.1:3000", "192.168.1.9:3000", "[::1]:3000", "app.localhost:3000"])(
  "host %s is accepted in demo mode only",
  (host) => {
    expect([demo(host), production(host)]).toEqual([true, false]);
  },
);

test.each([
  "example.com.evil.example",
  "evil.example",
  "example.com:8443",
  "",
  "a b",
  "example.com/",
  "user@example.com",
  "[::1",
])("host %j is always rejected", (host) => {
  expect([demo(host), production(host)]).toEqual([false, false]);
});

test("the host of SITE_URL is accepted", () => {
  expect(production("example.com")).toBe(true);
});
