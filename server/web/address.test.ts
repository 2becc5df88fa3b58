import type { IncomingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { createArrivals } from "./address";
import { createHostCheck } from "./hosts";

const from = (remoteAddress: string, headers: IncomingHttpHeaders = {}) => ({
  headers: { host: "example.com", ...headers },
  socket: { remoteAddress } as Socket,
});

test("without trusted proxies forwarding headers are ignored", () => {
  const arrival = createArrivals([])(
    from("203.0.113.9", {
      "x-forwarded-for": "1.2.3.4",
      "x-forwarded-proto": "https",
      "x-forwarded-host": "evil.example",
    }),
  );
  expect(arrival).toMatchObject({ clientAddress: "203.0.113.9", protocol: "http", host: "example.com" });
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
])("X-Forwarded-For %j from a trusted proxy gives the client address %s", (forwarded, client) => {
  const arrivals = createArrivals(["10.0.0.0/8"]);
  expect(arrivals(from("::ffff:10.0.0.1", { "x-forwarded-for": forwarded })).clientAddress).toBe(client);
});

test("scheme and host are taken from a trusted proxy", () => {
  const arrival = createArrivals(["10.0.0.1"])(
    from("10.0.0.1", { "x-forwarded-proto": "https", "x-forwarded-host": "Sound.Example" }),
  );
  expect(arrival).toMatchObject({ protocol: "https", host: "sound.example", isDirect: false });
});

test("addresses in one IPv6 /64 network count as one client", () => {
  const arrivals = createArrivals([]);
  const [a, b, c] = ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:db8:1:3::1"].map(
    (address) => arrivals(from(address)).clientAddress,
  );
  expect(a).toBe(b);
  expect(a).not.toBe(c);
});

test("an invalid entry of TRUSTED_PROXIES throws at start", () => {
  expect(() => createArrivals(["proxy.internal"])).toThrow("TRUSTED_PROXIES: proxy.internal");
});

const demo = createHostCheck({ mode: "demo", siteUrl: null });
const production = createHostCheck({ mode: "production", siteUrl: "https://example.com" });

test.each(["localhost:3000", "localhost", "127.0.0.1:3000", "192.168.1.9:3000", "[::1]:3000", "app.localhost:3000"])(
  "the host %s is accepted in demo mode only",
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
])("the host %j is never accepted", (host) => {
  expect([demo(host), production(host)]).toEqual([false, false]);
});

test("SITE_URL's host is accepted", () => {
  expect(production("example.com")).toBe(true);
});
