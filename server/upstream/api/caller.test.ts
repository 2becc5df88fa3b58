import { Hono } from "hono";
import { expect, it } from "vitest";
import { createAddressOf, type HostBindings } from "./caller";

async function addressOf(forwarded: string | undefined, peer?: string, trusted = ["10.0.0.0/8", "2001:db8:ffff::/48"]) {
  const find = createAddressOf(trusted);
  const app = new Hono().get("/", (c) => c.text(find(c)));
  const headers = new Headers(forwarded === undefined ? [] : [["x-forwarded-for", forwarded]]);
  const bindings: HostBindings | undefined =
    peer === undefined ? undefined : { incoming: { socket: { remoteAddress: peer } } };
  return (await app.request("/", { headers }, bindings)).text();
}

it("believes what the BFF in this process says", async () => {
  expect(await addressOf("198.51.100.7")).toBe("198.51.100.7");
  expect(await addressOf(undefined)).toBe("unknown");
  expect(await addressOf("garbage")).toBe("unknown");
});

it("takes the peer's address where the peer is no proxy of ours", async () => {
  expect(await addressOf("198.51.100.7", "203.0.113.9")).toBe("203.0.113.9");
  expect(await addressOf("198.51.100.7", "::ffff:203.0.113.9")).toBe("203.0.113.9");
});

it("takes the nearest address that is no proxy of ours, whatever the caller wrote before it", async () => {
  expect(await addressOf("1.1.1.1, 198.51.100.7, 10.1.1.1", "10.2.2.2")).toBe("198.51.100.7");
  expect(await addressOf("1.1.1.1, 198.51.100.7", "2001:db8:ffff::1")).toBe("198.51.100.7");
  expect(await addressOf(undefined, "10.2.2.2")).toBe("10.2.2.2");
});

it("counts IPv6 by its network", async () => {
  const one = await addressOf("2001:db8:1:2:3:4:5:6");
  expect(await addressOf("2001:db8:1:2::1")).toBe(one);
  expect(await addressOf("2001:db8:1:2::/64")).toBe(one);
  expect(await addressOf("2001:db8:1:3::1")).not.toBe(one);
});
