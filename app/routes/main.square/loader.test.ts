import type { LoaderFunctionArgs } from "@remix-run/node";
import { expect, test, vi } from "vitest";
import { UpstreamRefusal } from "~server/bff/refusal.server";
import { loader } from "./route";

const answering = (call: () => unknown) => {
  const asked = vi.fn(async (..._: unknown[]) => call());
  const logOut = vi.fn();
  const load = (query: string) => {
    const context = { upstream: { call: asked }, session: { logOut } };
    const request = new Request(`http://site/main/square${query}`);
    return loader({ request, context, params: {} } as unknown as LoaderFunctionArgs);
  };
  return { load, asked, logOut };
};

test("asks the upstream for exactly what the address says", async () => {
  const { load, asked } = answering(() => ({ list: [], total: 0 }));
  await load("?keyword=童声&gender=female&page=2");
  expect(asked).toHaveBeenCalledWith("squareList", {
    page: 2,
    pageSize: 12,
    sort: "popular",
    keyword: "童声",
    gender: "female",
  });
});

test("shows a refusal in place of the list, with its status", async () => {
  const { load } = answering(() => {
    throw new UpstreamRefusal({ code: "timeout" });
  });
  const answer = await load("");
  expect(answer.init?.status).toBe(504);
  expect(answer.data).toMatchObject({ humans: [], total: 0, refusal: { code: "timeout" } });
});

test("an expired login ends the session and leads to the login page", async () => {
  const { load, logOut } = answering(() => {
    throw new UpstreamRefusal({ code: "login-expired" });
  });
  await expect(load("")).rejects.toMatchObject({ status: 302 });
  expect(logOut).toHaveBeenCalledOnce();
});
