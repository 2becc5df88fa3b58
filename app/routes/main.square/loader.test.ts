import type { LoaderFunctionArgs } from "@remix-run/node";
import { expect, test, vi } from "vitest";
import { UpstreamRefusal } from "~server/bff/refusal.server";
import { loader } from "./route";

const createLoad = (respond: () => unknown) => {
  const call = vi.fn(async (..._: unknown[]) => respond());
  const logOut = vi.fn();
  const load = (query: string) => {
    const context = { upstream: { call }, session: { logOut } };
    const request = new Request(`http://site/main/square${query}`);
    return loader({ request, context, params: {} } as unknown as LoaderFunctionArgs);
  };
  return { load, call, logOut };
};

test("the square's loader requests the roles that the URL selects", async () => {
  const { load, call } = createLoad(() => ({ list: [], total: 0 }));
  await load("?keyword=童声&gender=female&page=2");
  expect(call).toHaveBeenCalledWith("squareList", {
    page: 2,
    pageSize: 12,
    sort: "popular",
    keyword: "童声",
    gender: "female",
  });
});

test("the square's loader returns a refusal with its status", async () => {
  const { load } = createLoad(() => {
    throw new UpstreamRefusal({ code: "timeout" });
  });
  const answer = await load("");
  expect(answer.init?.status).toBe(504);
  expect(answer.data).toMatchObject({ humans: [], total: 0, refusal: { code: "timeout" } });
});

test("an expired login ends the session and redirects", async () => {
  const { load, logOut } = createLoad(() => {
    throw new UpstreamRefusal({ code: "login-expired" });
  });
  await expect(load("")).rejects.toMatchObject({ status: 302 });
  expect(logOut).toHaveBeenCalledOnce();
});
