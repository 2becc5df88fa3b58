import { Hono } from "hono";
import { expect, it } from "vitest";
import { addressOf, createAuth } from "./auth";

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

it("looks a token up once for the concurrent calls of one request, and again for all others", async () => {
  const asked: string[] = [];
  const auth = createAuth(async (token) => {
    asked.push(token);
    await new Promise((resolve) => setTimeout(resolve, 1));
    return token === "bad" ? null : `account of ${token}`;
  });
  const callers = new Hono().get("/", async (c) => c.text((await auth.findCaller(c)) ?? "none"));
  const call = async (token: string, requestId: string) =>
    (await callers.request("/", { headers: { token, "x-request-id": requestId } })).text();
  const answers = await Promise.all([call("a", "1"), call("a", "1"), call("a", "2"), call("b", "1"), call("bad", "1")]);
  expect(answers).toEqual(["account of a", "account of a", "account of a", "account of b", "none"]);
  expect(asked).toEqual(["a", "a", "b", "bad"]);
  await call("a", "1");
  expect(asked).toHaveLength(5);
});
