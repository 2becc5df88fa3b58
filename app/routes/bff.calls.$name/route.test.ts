import type { ActionFunctionArgs } from "@remix-run/node";
import { expect, test } from "vitest";
import { action } from "./route";

async function post(name: string, body: string, headers: Record<string, string> = {}) {
  const passed: unknown[] = [];
  const call = async (...sent: unknown[]) => {
    passed.push(sent);
    return null;
  };
  const request = new Request("http://site/bff/calls/x", { method: "POST", headers, body });
  const response = await action({ request, params: { name }, context: { upstream: { call } } } as never as Args);
  return { passed, status: response.status, json: await response.json() };
}
type Args = ActionFunctionArgs & Parameters<typeof action>[0];

test("a listed call is passed on with its input and the browser's idempotency key", async () => {
  const answer = await post("taskCancel", '{"taskId":"t"}', { "idempotency-key": "order-0001" });
  expect(answer).toEqual({ passed: [["taskCancel", { taskId: "t" }, "order-0001"]], status: 200, json: null });
});

test.each([
  ["a payment, which the server signs", "orderCreate", "{}", 404],
  ["the login, whose token stays on the server", "login", "{}", 404],
  ["no call", "toString", "{}", 404],
  ["no object", "taskCancel", "[", 400],
])("%s is not passed on", async (_, name, body, status) => {
  expect(await post(name, body)).toMatchObject({ passed: [], status });
});
