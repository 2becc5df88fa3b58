import type { LoaderFunctionArgs } from "@remix-run/node";
import { expect, test, vi } from "vitest";
import { UpstreamRefusal } from "~server/bff/refusal.server";
import type { ErrorCode } from "~server/contract/codes";
import { loader } from "./route";

const answers = {
  workList: { list: [], next: "" },
  storage: { files: [] },
  roleList: { list: [{ roleId: "r1", name: "小雨", describe: "" }] },
};

function open(
  query: string,
  { token = "t", refused = {} }: { token?: string; refused?: Record<string, ErrorCode> } = {},
) {
  const call = vi.fn(async (name: keyof typeof answers) => {
    const code = refused[name];
    if (code) throw new UpstreamRefusal({ code });
    return answers[name];
  });
  const session = { values: { token }, logOut: vi.fn() };
  const request = new Request(`http://site/user/works${query}`);
  const args = { request, context: { upstream: { call }, session }, params: {} } as unknown as LoaderFunctionArgs;
  return { load: () => loader(args), called: () => call.mock.calls.map(([name]) => name) };
}

test("the newest works come with what the account stores", async () => {
  const { load } = open("");
  const roles = [{ roleId: "r1", name: "小雨" }];
  expect((await load()).data).toMatchObject({ page: answers.workList, storage: answers.storage, roles, refusal: null });
});

test("older works are read without it", async () => {
  const { load, called } = open("?cursor=2026.x");
  await load();
  expect(called()).toEqual(["workList", "roleList"]);
});

test("a visitor logs in first, and returns to the same works", async () => {
  const location = "/user/login?next=%2Fuser%2Fworks%3Fkind%3Ddub";
  const response = await open("?kind=dub", { token: "" })
    .load()
    .catch((thrown: Response) => thrown);
  expect((response as Response).headers.get("location")).toBe(location);
});

test("an upstream without the list is no failure", async () => {
  const { load } = open("", { refused: { workList: "unsupported" } });
  const { data, init } = await load();
  expect([data.refusal?.code, init?.status]).toEqual(["unsupported", 200]);
});

test("a failed list is told with its status, and a failed count beside the list", async () => {
  expect((await open("", { refused: { workList: "network" } }).load()).init?.status).toBeGreaterThanOrEqual(500);
  expect((await open("", { refused: { storage: "failure" } }).load()).data.storage).toBe("failed");
  expect((await open("", { refused: { storage: "unsupported" } }).load()).data.storage).toBeNull();
});
