import { Hono } from "hono";
import { expect, it } from "vitest";
import type { CallData } from "~server/contract/calls/table";
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

it("reads the account with its token in the call for user info, and in no other call", async () => {
  const info = { phone: "138****0001" } as CallData<"userInfo">;
  const auth = createAuth(
    async () => "a",
    async (token) => (token === "bad" ? null : { id: "a", info }),
  );
  const app = new Hono().get("*", async (c) => c.json([await auth.findCaller(c), (await auth.findInfo(c)) ?? null]));
  const ask = async (path: string, token: string) => (await app.request(path, { headers: { token } })).json();
  expect(await ask("/api/v1/users/info", "t")).toEqual(["a", info]);
  expect(await ask("/api/v1/users/info", "bad")).toEqual([null, null]);
  expect(await ask("/api/v1/clones", "t")).toEqual(["a", null]);
});
