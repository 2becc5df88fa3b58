import { expect, test } from "vitest";
import { createPublicVersion } from "../public-reads";
import { createUpstreamClient } from "./upstream.server";
import type { Caller } from "./upstream-call.server";

const human = { roleId: "1", name: "A" };
const lists: Record<string, unknown> = { "/api/v1/pay/product": [], "/api/v1/role/common/home": [human] };

/** An upstream that counts its calls; `gate` delays its answers and `fail` refuses them. */
function createUpstream({ baseUrl }: { baseUrl?: string } = {}) {
  const asked: Request[] = [];
  const state = { gate: Promise.resolve(), fail: false };
  const fetch = async (request: Request) => {
    asked.push(request);
    const data = lists[new URL(request.url).pathname] ?? { list: [human], total: 1, page: 1, pageSize: 20 };
    await state.gate;
    return state.fail ? new Response("down", { status: 500 }) : Response.json({ code: 0, data, msg: "" });
  };
  const publicVersion = createPublicVersion();
  const client = createUpstreamClient({ fetch, appId: "a", logger: { warn: () => {} }, publicVersion });
  return { asked, state, publicVersion, as: (caller: Caller = {}) => client.as(() => caller), baseUrl };
}

const visitor = { visitorId: "visitor-1", clientAddress: "198.51.0.1", requestId: "request-1" };

test("visitors share the square and the price list, which are asked for on behalf of none of them", async () => {
  const { asked, as } = createUpstream();
  const answers = await Promise.all(
    [as(visitor), as({ visitorId: "visitor-2" })].map((one) => one.call("squareHome", {})),
  );
  await as().call("squareHome", {});
  expect(answers[0]).toBe(answers[1]);
  expect(asked).toHaveLength(1);
  const { headers, signal } = asked[0] as Request;
  for (const name of ["x-visitor-id", "x-forwarded-for"]) expect(headers.has(name)).toBe(false);
  expect([headers.get("token"), signal.aborted]).toEqual(["", false]);
  for (const page of [1, 1, 2]) await as().call("squareList", { page });
  await as().call("products", {});
  expect(asked).toHaveLength(4);
});

test("prices of an account and searches are asked for by each caller", async () => {
  const { asked, as } = createUpstream();
  for (const token of ["t1", "t2"]) await as({ token }).call("products", {});
  expect(asked.map(({ headers }) => headers.get("token"))).toEqual(["t1", "t2"]);
  for (const _ of [1, 2]) await as().call("squareList", { keyword: "A" });
  expect(asked).toHaveLength(4);
});

test("prices that are equal for all callers are asked for without the member's token, and shared", async () => {
  const { asked, as } = createUpstream();
  await as({ token: "t" }).readPrices();
  await as().call("products", {});
  expect(asked.map(({ headers }) => headers.get("token"))).toEqual([""]);
});

test("members of the embedded upstream share the square with visitors", async () => {
  const { asked, as } = createUpstream();
  await as().call("squareHome", {});
  await as({ token: "t" }).call("squareHome", {});
  expect(asked).toHaveLength(1);
});

test("the abort of the first caller ends its own call and not the second one's", async () => {
  const { state, asked, as } = createUpstream();
  let open = () => {};
  state.gate = new Promise<void>((resolve) => (open = resolve));
  const leaving = new AbortController();
  const first = as({ signal: leaving.signal }).call("squareHome", {});
  const second = as().call("squareHome", {});
  leaving.abort();
  await expect(first).rejects.toMatchObject({ refusal: { code: "cancelled" } });
  open();
  expect(await second).toMatchObject([{ name: "A" }]);
  expect(asked).toHaveLength(1);
});

test("an error reaches all who wait for it and is not kept", async () => {
  const { state, asked, as } = createUpstream();
  state.fail = true;
  const failed = { refusal: { code: "request-failed" } };
  const both = [as().call("products", {}), as().call("products", {})];
  for (const call of both) await expect(call).rejects.toMatchObject(failed);
  state.fail = false;
  expect(await as().call("products", {})).toEqual([]);
  expect(asked).toHaveLength(2);
});

test("a change in this process drops the shared answers", async () => {
  const { asked, as, publicVersion } = createUpstream();
  await as().call("squareHome", {});
  publicVersion.advance();
  await as().call("squareHome", {});
  await as({ token: "t" }).call("rolePublish", { roleId: "1", isPublic: true });
  await as().call("squareHome", {});
  expect(asked.filter(({ method }) => method === "GET")).toHaveLength(3);
});

test("a GET whose specification has a body reaches the embedded upstream with its query", async () => {
  const { asked, as } = createUpstream();
  await as({ token: "t" })
    .call("dubList", { page: 2 })
    .catch(() => {});
  expect(new URL(asked[0]?.url ?? "").searchParams.get("page")).toBe("2");
});
