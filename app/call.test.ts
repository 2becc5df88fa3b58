import { afterEach, expect, test, vi } from "vitest";
import { call, callApi, createIdempotentCall, Refused, refusalOf } from "./call";

afterEach(() => void vi.unstubAllGlobals());

type Outcome = "lost" | "answered" | Response;

/** Test server that executes a call once per idempotency key; each request takes the next outcome from the list. */
function serve(...outcomes: Outcome[]) {
  const requests: RequestInit[] = [];
  const results = new Map<string, string>();
  vi.stubGlobal("fetch", async (_path: string, init: RequestInit) => {
    const outcome = outcomes[requests.length];
    requests.push(init);
    const key = new Headers(init.headers).get("idempotency-key") ?? "";
    if (outcome instanceof Response) return outcome.clone();
    if (!results.has(key)) results.set(key, `order-${results.size + 1}`);
    if (outcome === "lost") throw new TypeError("Failed to fetch");
    return Response.json({ orderId: results.get(key) });
  });
  const keys = () => requests.map(({ headers }) => new Headers(headers).get("idempotency-key"));
  return { requests, keys };
}

const refused = (code: string, status: number) => Response.json({ refusal: { code } }, { status });
const createOrder = () => createIdempotentCall<{ pCode: string }, { orderId: string }>("/bff/orders");

test.each([
  ["no body", {}, { method: "GET", headers: {} }],
  ["a body", { body: { a: 1 } }, { method: "POST", headers: { "content-type": "application/json" }, body: '{"a":1}' }],
  ["a method", { method: "DELETE" as const }, { method: "DELETE", headers: {} }],
  ["a key", { idempotencyKey: "k" }, { method: "GET", headers: { "idempotency-key": "k" } }],
])("a call with %s is sent as the expected request", async (_, options, request) => {
  const { requests } = serve("answered");
  await call("/bff/x", options);
  expect(requests[0]).toMatchObject(request);
});

test("a call whose answer is empty resolves to null", async () => {
  serve(Response.json(null));
  expect(await callApi("taskCancel", { taskId: "t" })).toBeNull();
});

test("a form is sent unchanged", async () => {
  const { requests } = serve("answered");
  const body = new FormData();
  await call("/bff/uploads/recordings", { body });
  expect(requests[0]).toMatchObject({ method: "POST", headers: {}, body });
});

test.each([
  ["the server's refusal", refused("too-many", 429), "too-many"],
  ["a refusal under status 200", refused("failure", 200), "failure"],
  ["a proxy's 413 page", new Response("<html>", { status: 413 }), "too-large"],
  ["a proxy's 502 page", new Response("<html>", { status: 502 }), "request-failed"],
  ["a page where JSON belongs", new Response("<html>"), "request-failed"],
  ["no response", "lost" as const, "network"],
])("%s is refused", async (_, outcome, code) => {
  serve(outcome);
  const error = await call("/bff/x").catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Refused);
  expect(refusalOf(error).code).toBe(code);
});

test("an expired login leaves an account's document for the login page, and a visitor's document stays", async () => {
  const assign = vi.fn();
  vi.stubGlobal("document", {});
  vi.stubGlobal("window", { location: { pathname: "/main/dubbing", search: "?project=1", hash: "", assign } });
  for (const owner of [null, "account"]) {
    vi.resetModules();
    const [fresh, { openDocument }] = await Promise.all([import("./call"), import("./ui/store")]);
    openDocument(owner);
    serve(refused("login-expired", 401));
    await expect(fresh.call("/bff/dubs", { method: "DELETE" })).rejects.toMatchObject({ message: "login-expired" });
    if (owner === null) expect(assign).not.toHaveBeenCalled();
  }
  expect(assign.mock.calls).toEqual([["/user/login?expired=1&next=%2Fmain%2Fdubbing%3Fproject%3D1"]]);
});

test("an aborted call rejects with the reason of the abort", async () => {
  const controller = new AbortController();
  vi.stubGlobal("fetch", async () => {
    controller.abort();
    throw controller.signal.reason;
  });
  await expect(call("/bff/x", { signal: controller.signal })).rejects.toBe(controller.signal.reason);
});

test("a request whose response was lost is retried once with the same key", async () => {
  serve("lost", "answered");
  expect(await createOrder()({ pCode: "a" })).toEqual({ orderId: "order-1" });
});

test.each<[string, Outcome]>([
  ["a response arrives", "lost"],
  ["the server says what became of it", refused("network", 502)],
])("the idempotency key is reused by later calls until %s", async (_, outcome) => {
  const create = createOrder();
  const { keys } = serve(outcome, outcome, "answered", "answered");
  await expect(create({ pCode: "a" })).rejects.toThrow("network");
  expect(await create({ pCode: "a" })).toEqual({ orderId: "order-1" });
  expect(await create({ pCode: "a" })).toEqual({ orderId: "order-2" });
  expect(new Set(keys().slice(0, 3)).size).toBe(1);
});

test("a call after a refusal gets a new idempotency key", async () => {
  const create = createOrder();
  const { keys } = serve(refused("too-many", 429), "answered");
  await expect(create({ pCode: "a" })).rejects.toThrow("too-many");
  await create({ pCode: "a" });
  expect(new Set(keys()).size).toBe(2);
});

test("different bodies get different keys in the format that the server accepts", async () => {
  const create = createOrder();
  const { keys } = serve(...Array.from({ length: 50 }, (): Outcome => "answered"));
  for (let index = 0; index < 50; index++) await create({ pCode: String(index) });
  for (const key of keys()) expect(key).toMatch(/^[\w-]{8,100}$/);
  expect(new Set(keys()).size).toBe(50);
});
