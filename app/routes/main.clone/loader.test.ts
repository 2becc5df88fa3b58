import type { LoaderFunctionArgs } from "@remix-run/node";
import { expect, test, vi } from "vitest";
import { UpstreamRefusal } from "~server/bff/refusal.server";
import { loader } from "./route";

const quota = Object.fromEntries(["vip", "svip", "pack"].map((bucket) => [bucket, { total: 0, used: 0, left: 0 }]));
const user = { phone: "138****0001", vipExpire: 0, svipExpire: 0, tryNum: 1, tryMax: 3, quota };

function open({ isDocument = true, token, respond }: { isDocument?: boolean; token?: string; respond?(): unknown }) {
  const list = respond ?? (() => ({ list: [], total: 0 }));
  const call = vi.fn(async (name: string) => (name === "userInfo" ? user : list()));
  const session = { values: { token, trialsUsed: 1 }, logOut: vi.fn() };
  const load = async (query: string) => {
    const context = { upstream: { call }, session, isDocument };
    const request = new Request(`http://site/main/clone${query}`);
    return loader({ request, context, params: {} } as unknown as LoaderFunctionArgs);
  };
  return { load, logOut: session.logOut, called: () => call.mock.calls.map(([name]) => name) };
}

test("a member's document has the allowance and leaves the records to the browser", async () => {
  const { load, called } = open({ token: "t" });
  expect((await load("")).data).toMatchObject({ isLater: true, page: null, allowance: { left: 2 } });
  expect(called()).toEqual(["userInfo"]);
});

test.each(["?keyword=a", "?status=2", "?page=1"])(
  "a document with %s has the records, also without scripts",
  async (query) => {
    const { load } = open({ token: "t" });
    expect((await load(query)).data).toMatchObject({ isLater: false, page: { records: [], total: 0 } });
  },
);

test("the data of a page change has the records", async () => {
  const { load } = open({ token: "t", isDocument: false });
  expect((await load("")).data).toMatchObject({ isLater: false, page: { records: [], total: 0 } });
});

test("a visitor's document has no records and reads none later", async () => {
  const { load, called } = open({});
  expect((await load("")).data).toMatchObject({ isLater: false, page: null });
  expect(called()).toEqual([]);
});

test("an expired login ends the session and redirects", async () => {
  const respond = () => {
    throw new UpstreamRefusal({ code: "login-expired" });
  };
  const { load, logOut } = open({ token: "t", respond });
  await expect(load("?page=1")).rejects.toMatchObject({ status: 302 });
  expect(logOut).toHaveBeenCalledOnce();
});
