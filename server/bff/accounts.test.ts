import { expect, test } from "vitest";
import { charactersSvip, charactersVip } from "../contract/limits";
import { logIn, logOut, ownerOf, readAllowance, readTrialCount, readUser } from "./accounts.server";
import { toRefusal } from "./refusal.server";
import { createSessions, type EndedLogin } from "./session.server";
import { type CallInput, createUpstreamClient } from "./upstream.server";

const envelope = (data: unknown, code = 0, msg = "") => Response.json({ code, data, msg });
const phone = "13812345678";

/** A visitor's session and an upstream that receives the caller's identity, as in the web host. */
async function visit(answer: (path: string, request: Request) => Response) {
  const revoked: EndedLogin[] = [];
  const revoke = async (login: EndedLogin) => void revoked.push(login);
  const revocations = { revoke, isRevoked: async () => false };
  const session = await createSessions({ secrets: ["s".repeat(40)], revocations }).open(null, true);
  const asked: string[] = [];
  const fetch = (request: Request) => {
    const path = new URL(request.url).pathname.replace("/api/v1", "");
    asked.push(`${path} ${request.headers.get("token")}`);
    return answer(path, request);
  };
  const upstream = createUpstreamClient({ fetch, appId: "a", logger: { warn: () => {} } }).as(() => session.values);
  return { upstream, session, asked, revoked };
}

test("a login stores the token in the session under a new id, and the next call sends it", async () => {
  const context = await visit((path) => envelope(path === "/users/login" ? { token: "t".repeat(64) } : { phone }));
  const before = context.session.values;
  await logIn(context, { phone, verifyCode: "123456" });
  expect(context.session.values.token).toBe("t".repeat(64));
  expect(context.session.values.id).not.toBe(before.id);
  expect(context.session.values.visitorId).toBe(before.visitorId);
  expect(await readUser(context)).toMatchObject({ phone, vipExpire: 0 });
  expect(context.asked).toEqual(["/users/login ", `/users/info ${"t".repeat(64)}`]);
});

test("readUser makes no call for visitors and one call per request for accounts, and counts none of the account's trials to the visitor", async () => {
  const context = await visit(() => envelope({ phone, tryNum: 2 }));
  expect(await readUser(context)).toBeNull();
  context.session.logIn("token");
  await Promise.all([readUser(context), readUser(context)]);
  expect(context.asked).toHaveLength(1);
  expect(await readTrialCount(context)).toEqual({ used: 2, max: 3 });
  context.session.logOut();
  expect(await readTrialCount(context)).toEqual({ used: 0, max: 3 });
});

test("an account's pages save under the same key at every login, and a visitor's under none", async () => {
  const logInAs = async (number: string) => {
    const context = await visit(() => envelope({ token: "t", phone: number }));
    expect(ownerOf(context.session)).toBeNull();
    await logIn(context, { phone: number, verifyCode: "123456" });
    return context.session;
  };
  const [first, second, other] = [await logInAs(phone), await logInAs(` ${phone}`), await logInAs("13812345679")];
  expect(ownerOf(first)).toMatch(/^[\w-]{16}$/);
  expect(ownerOf(second)).toBe(ownerOf(first));
  expect(ownerOf(other)).not.toBe(ownerOf(first));
  first.logOut();
  expect(ownerOf(first)).toBeNull();
  first.logIn("from before there were keys");
  expect(ownerOf(first)).toBe("");
});

test("a malformed phone or code is refused without a call", async () => {
  const context = await visit(() => envelope({}));
  for (const bad of [
    () => logIn(context, { phone: "12345", verifyCode: "123456" }),
    () => logIn(context, { verifyCode: "123456" } as CallInput<"login">),
    () => logIn(context, { phone, verifyCode: "12" }),
  ]) {
    expect(toRefusal(await bad().catch((error: unknown) => error))).toEqual({ code: "bad-request" });
  }
  expect(context.asked).toEqual([]);
});

test("a refused login is shown in the form and leaves the session logged out", async () => {
  const context = await visit(() => envelope(null, 7, "验证码不正确"));
  const refusal = toRefusal(await logIn(context, { phone, verifyCode: "123456" }).catch((error: unknown) => error));
  expect(refusal).toEqual({ code: "failure", message: "验证码不正确" });
  expect(context.session.values.token).toBeUndefined();
});

test("a second login revokes the first; a first login revokes none", async () => {
  const context = await visit(() => envelope({ token: "new" }));
  await logIn(context, { phone, verifyCode: "123456" });
  expect(context.revoked).toEqual([]);
  context.session.logIn("old");
  const { id } = context.session.values;
  await logIn(context, { phone, verifyCode: "123456" });
  expect(context.revoked).toEqual([expect.objectContaining({ sessionId: id, token: "old" })]);
});

test.each([
  ["responds with an error", () => new Response("", { status: 500 }), 1],
  ["reports an unknown token", () => envelope(null, 5), 0],
  ["ended it", (path: string) => envelope(null, path === "/users/info" ? 5 : 0), 0],
  ["confirms a logout and takes the token as before", () => envelope({ phone }), 1],
])("a logout schedules the token's revocation unless the upstream ended it: it %s", async (_, answer, left) => {
  const context = await visit(answer);
  context.session.logIn("token");
  await logOut(context);
  expect(context.revoked).toHaveLength(left);
});

test("a logout ends the session even if the upstream does not answer", async () => {
  const context = await visit(() => new Response("", { status: 500 }));
  context.session.logIn("token");
  await logOut(context);
  expect(context.session.values.token).toBeUndefined();
});

test("the allowance comes from the account that the page has read, and from its own call where that counts nothing", async () => {
  const left = (count: number) => ({ total: 9, used: 0, left: count });
  const quota = { vip: left(0), svip: left(5), pack: left(2) };
  const paid = { svipExpire: 4e9, vipExpire: 0 };
  const readWith = async (info: object) => {
    const answers: Record<string, unknown> = {
      "/users/info": info,
      "/tasks/allowance": { tier: "svip", limit: 1, left: 3 },
    };
    const context = await visit((path) => envelope(answers[path]));
    context.session.logIn("token");
    const [, allowance] = await Promise.all([readUser(context), readAllowance(context.upstream, context.session)]);
    return { allowance, asked: context.asked.map((call) => call.split(" ")[0]) };
  };
  const counted = await readWith({ ...paid, quota });
  expect(counted).toEqual({ allowance: { tier: "svip", limit: charactersSvip, left: 7 }, asked: ["/users/info"] });
  const outlived = await readWith({ vipExpire: 1, svipExpire: 0, quota: { ...quota, svip: left(0) } });
  expect(outlived.allowance).toEqual({ tier: "vip", limit: charactersVip, left: 2 });
  const uncounted = await readWith(paid);
  expect(uncounted.asked).toEqual(["/users/info", "/tasks/allowance"]);
  expect(uncounted.allowance).toEqual({ tier: "svip", limit: 1, left: 3 });
});
