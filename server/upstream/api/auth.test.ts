import { Hono } from "hono";
import { expect, it } from "vitest";
import { addressOf } from "./auth";

const app = new Hono().get("/", (c) => c.text(addressOf(c)));
const addressFor = async (forwarded: string) =>
  (await app.request("/", { headers: { "x-forwarded-for": forwarded } })).text();

it.each(["198.51.100.7", "2001:db8:1:2::"])(
  "the rate limit uses the address %s that the host resolved",
  async (address) => {
    expect(await addressFor(address)).toBe(address);
  },
);

it.each(["", "garbage", "1.1.1.1, 2.2.2.2", "a".repeat(46)])("%j is not accepted as an address", async (address) => {
  expect(await addressFor(address)).toBe("unknown");
});
