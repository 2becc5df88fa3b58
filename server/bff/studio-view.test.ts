import { expect, test, vi } from "vitest";
import { readStudioView } from "./generations.server";
import { UpstreamRefusal } from "./refusal.server";
import type { Session } from "./session.server";
import type { Upstream } from "./upstream.server";

const role = { roleId: "r", name: "沈砚", describe: "", avatar: "", portrait: null, voiceUrl: "", timelineUrl: "" };
const answers: Record<string, unknown> = {
  userInfo: { phone: "1", vipExpire: 0, svipExpire: 0, tryNum: 1, tryMax: 3, quota: null },
  roleList: { list: [1, 2, 3].map((status) => ({ ...role, roleId: `own-${status}`, status })), total: 3 },
  squareList: { list: [role], total: 1 },
  dubList: { list: [], total: 0 },
};

function open(refused: Record<string, "login-expired" | "timeout"> = {}, token: string | undefined = "t") {
  const call = vi.fn(async (name: string) => {
    const code = refused[name];
    if (code) throw new UpstreamRefusal({ code });
    return answers[name];
  });
  const upstream = { call } as unknown as Upstream;
  const session = { values: { token, trialsUsed: 1 } } as unknown as Session;
  return { call, read: (roleId: string | null = null) => readStudioView({ upstream, session }, roleId) };
}

test("a member's view has the ready voices, the role to add, the dubs and the allowance", async () => {
  expect(await open().read("r")).toMatchObject({
    voices: [{ roleId: "own-2" }, { roleId: "r" }],
    role: { roleId: "r" },
    records: { list: [], total: 0 },
    allowance: { tier: null, left: 2 },
  });
});

test("a visitor's view has the square's voices alone", async () => {
  const { read, call } = open({}, "");
  expect(await read()).toMatchObject({ voices: [{ roleId: "r" }], role: null, records: null, allowance: null });
  expect(call.mock.calls.map(([name]) => name)).toEqual(["squareList"]);
});

test("a failed list leaves the rest of the view; an expired login does not", async () => {
  const failed = open({ roleList: "timeout", squareList: "timeout", dubList: "timeout" });
  expect(await failed.read("r")).toMatchObject({ voices: [], role: null, records: { refusal: { code: "timeout" } } });
  for (const name of ["userInfo", "dubList"])
    await expect(open({ [name]: "login-expired" }).read()).rejects.toMatchObject({
      refusal: { code: "login-expired" },
    });
});
