import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { expect, test } from "vitest";
import { checkoutCopy } from "~/copy/checkout";
import { createUpstreamClient } from "~server/bff/upstream.server";
import { action, loader } from "./route";

const answering = (answer: () => Response) =>
  createUpstreamClient({ fetch: answer, appId: "a", logger: { warn: () => {} } }).as(() => ({}));
const envelope = (code: number, data: unknown, msg = "") => Response.json({ code, data, msg });
const visit = (answer: () => Response, request = new Request("http://localhost/cashier/a-1")) => {
  const context = { upstream: answering(answer), siteName: "声像" };
  return { params: { attempt: "a-1" }, context, request } as unknown as LoaderFunctionArgs & ActionFunctionArgs;
};
const pressing = (lever: string) =>
  new Request("http://localhost/cashier/a-1", { method: "POST", body: new URLSearchParams({ lever }) });
const payment = { id: "a-1", subject: "年度", price: 89_900, platform: 1, state: "open", expireAt: 1 };

test.each([
  ["an upstream in production mode, which has no sandbox", () => envelope(7, null, "not-found")],
  ["another upstream, which knows no such call", () => new Response("Not Found", { status: 404 })],
])("the cashier page returns 404 for %s", async (_, answer) => {
  const thrown = await loader(visit(answer)).catch((error: unknown) => error);
  expect((thrown as Response).status).toBe(404);
});

test("the sandbox payment is shown with its merchant", async () => {
  expect(await loader(visit(() => envelope(0, payment)))).toEqual({ payment, merchant: "声像" });
});

test("a cashier button performs its action and shows the result; an unknown value does nothing", async () => {
  let calls = 0;
  const answer = () => {
    calls++;
    return envelope(0, { ...payment, state: "paid" });
  };
  expect(await action(visit(answer, pressing("duplicate")))).toEqual({
    pulled: "duplicate",
    sentence: checkoutCopy.cashier.after.duplicate,
  });
  expect(await action(visit(answer, pressing("steal")))).toMatchObject({
    data: { pulled: null },
    init: { status: 400 },
  });
  expect(calls).toBe(1);
});
