import { expect, test } from "vitest";
import { calls } from "../contract/calls/table";
import { createUpstreamClient } from "./upstream.server";

function clientFor(isReadOnly: boolean) {
  const asked: string[] = [];
  const warned: object[] = [];
  const fetch = (request: Request) => {
    asked.push(new URL(request.url).pathname);
    return Response.json({ code: 0, data: null, msg: "" });
  };
  const client = createUpstreamClient({ fetch, appId: "a", logger: { warn: (fields) => warned.push(fields) } });
  return { asked, warned, upstream: client.as(() => ({ token: "t", isReadOnly })) };
}

test("a GET request makes no call that changes data, GET /users/logout included, and is named in the log", async () => {
  const { asked, warned, upstream } = clientFor(true);
  const refusal = { refusal: { code: "bad-request" } };
  await expect(upstream.call("logout", {})).rejects.toMatchObject(refusal);
  await expect(upstream.call("taskCancel", { taskId: "a" })).rejects.toMatchObject(refusal);
  const upload = new Request("http://a/", { method: "POST", body: new FormData() });
  await expect(upstream.upload("recordingUpload", upload)).rejects.toMatchObject(refusal);
  expect(asked).toEqual([]);
  expect(warned).toEqual([{ call: "logout" }, { call: "taskCancel" }]);
  await upstream.call("products", {});
  expect(asked).toEqual(["/api/v1/pay/product"]);
});

test("a request with an unsafe method logs out through the specified GET", async () => {
  const { asked, upstream } = clientFor(false);
  await upstream.call("logout", {});
  expect(asked).toEqual(["/api/v1/users/logout"]);
});

test("every call except GETs that only read is unsafe", () => {
  const unsafe = Object.values(calls).filter(({ isSafe }) => !isSafe);
  expect(unsafe.filter(({ method }) => method === "GET").map(({ path }) => path)).toEqual(["/users/logout"]);
  expect(Object.values(calls).every(({ method, isSafe }) => method === "GET" || !isSafe)).toBe(true);
});
