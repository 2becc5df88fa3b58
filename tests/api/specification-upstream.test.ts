import { afterEach, expect, test } from "vitest";
import privacy from "~/copy/privacy.md?raw";
import terms from "~/copy/terms.md?raw";
import { logIn, readAllowance, readUser } from "~server/bff/accounts.server";
import { createOrder, readOrderStatus } from "~server/bff/checkout.server";
import { createClone, createDub, readCloneView, readDubs } from "~server/bff/generations.server";
import { toRefusal } from "~server/bff/refusal.server";
import { findVoice, readRoleView } from "~server/bff/roles.server";
import { createSessions } from "~server/bff/session.server";
import { createTrial, readTrial } from "~server/bff/trials.server";
import { createUpstreamClient, type Upstream } from "~server/bff/upstream.server";
import { calls } from "~server/contract/calls/table";
import {
  type ResponseShape,
  responseShapes,
  type SpecificationUpstream,
  startSpecificationUpstream,
} from "../support/specification-upstream";

const opened: SpecificationUpstream[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});

const newSession = () => createSessions({ secrets: ["s".repeat(40)] }).open(null, true);

/** The BFF in front of a specification-only upstream, as a visitor or logged in. */
async function open(shape: ResponseShape | undefined, { isLoggedIn = true } = {}) {
  if (!shape) throw new Error("no such shape");
  const specification = await startSpecificationUpstream(shape);
  opened.push(specification);
  const session = await newSession();
  const client = createUpstreamClient({ baseUrl: specification.url, appId: "app", logger: { warn: () => {} } });
  const upstream: Upstream = client.as(() => ({ ...session.values }));
  const visit = { upstream, session };
  if (isLoggedIn) await logIn(visit, { phone: "13800000000", verifyCode: "123456" });
  return { specification, upstream, session, visit };
}

const nextSession = async (visit: { upstream: Upstream; session: Awaited<ReturnType<typeof newSession>> }) => {
  const session = await newSession();
  session.logIn(visit.session.values.token ?? "");
  return session;
};

const everyClone = { keyword: "", status: 0, record: "", page: 1 } as const;

test.each(Object.entries(responseShapes))(
  "one clone, one dub and one role are created on an upstream that answers %s",
  async (_name, shape) => {
    const { specification, upstream, visit } = await open(shape);
    const [person] = await upstream.call("squareHome", {});
    const roleId = person?.roleId ?? "";
    expect(await findVoice(upstream, roleId, true)).toMatchObject({ name: "林小满", status: 2 });

    const clone = await createClone(upstream, { content: "今天天气很好", roleId });
    expect(clone).toMatchObject({ content: "今天天气很好" });
    const { page } = await readCloneView(visit, everyClone);
    const again = await readCloneView(visit, everyClone);
    expect(page?.total).toBe(1);
    expect(person?.voiceUrl).toMatch(/\d+\.wav$/);
    expect(again.page?.records).toMatchObject([
      { taskId: clone?.taskId, status: 2, voiceUrl: expect.stringMatching(/\/(files|uploads)\/\d+\.wav$/) },
    ]);

    const dub = await createDub(upstream, { title: "一段", lines: [{ roleId, content: "你好", speed: 1, genre: 0 }] });
    await readDubs(upstream, new URLSearchParams());
    const { list } = await readDubs(upstream, new URLSearchParams());
    expect(list).toMatchObject([{ dubbId: dub?.dubbId, status: 2, lines: [{ content: "你好", roleId }] }]);

    const { url } = await uploadVoice(upstream);
    await upstream.call("roleCreate", { name: "我", voicePath: url, consent: { statementId: "s" } });
    const view = await readRoleView(visit, new URLSearchParams());
    expect(view).toMatchObject({ kind: "list", total: 1, roles: [{ name: "我", status: 2 }] });

    const posts = specification.requests.filter((one) => /create$/.test(one));
    expect(posts).toEqual(["POST /voice/create", "POST /dubbing/create", "POST /voice/role/create"]);
  },
);

test.each(Object.entries(responseShapes))(
  "a visitor's trial is polled to its file on an upstream that answers %s",
  async (_name, shape) => {
    const { upstream, visit } = await open(shape, { isLoggedIn: false });
    for (const used of [1, 2, 3]) {
      const { taskId, tryNum } = await createTrial(visit, { content: "你好", roleId: "1" });
      expect(tryNum).toBe(used);
      expect((await readTrial(upstream, taskId)).state).toBe("running");
      expect(await readTrial(upstream, taskId)).toMatchObject({ state: "done", durationMs: 2000, taskId });
    }
    await expect(createTrial(visit, { content: "你好", roleId: "1" })).rejects.toThrow();
  },
);

test.each(["rows", "other"] as const)(
  "tier and limits are read from user info of %s after an order is paid",
  async (name) => {
    const { upstream, session, visit } = await open(responseShapes[name]);
    expect(await readAllowance(upstream, session)).toEqual({ tier: null, limit: 100, left: 3 });
    for (const [pCode, tier, limit] of [
      ["vip-month", "vip", 500],
      ["svip-month", "svip", 1500],
    ] as const) {
      const request = { pCode, platform: 1 as const, isPhone: false };
      const order = await createOrder(upstream, request, { pageUrl: "http://localhost/" });
      expect(order.qr).not.toBeNull();
      expect(await readOrderStatus(upstream, order.orderId)).toMatchObject({ result: "waiting" });
      expect(await readOrderStatus(upstream, order.orderId)).toMatchObject({ result: "success" });
      const fresh = await nextSession(visit);
      expect(await readAllowance(upstream, fresh)).toEqual({ tier, limit, left: null });
    }
  },
);

test.each(Object.entries(responseShapes))(
  "extensions are requested once from an upstream that answers %s",
  async (_name, shape) => {
    const { specification, upstream, session } = await open(shape);
    const capabilities = await upstream.readCapabilities();
    expect(capabilities).toMatchObject({ engine: "", isLabelled: false });
    expect(capabilities.missing).toEqual(
      expect.arrayContaining(["orders", "ledger", "verify", "roleReport", "roleUpdate", "dubQuote", "taskEvents"]),
    );
    await upstream.readCapabilities();
    await readAllowance(upstream, session);
    const refusal = toRefusal(await upstream.call("orders", {}).catch((error: unknown) => error));
    expect(refusal).toEqual({ code: "unsupported" });
    expect(specification.requests.filter((one) => !/users/.test(one))).toEqual(["GET /capabilities"]);
  },
);

test("a single 404 marks an extension as missing", async () => {
  const { specification, upstream } = await open(responseShapes.rows);
  for (const _time of [1, 2, 3])
    expect(toRefusal(await upstream.call("orders", {}).catch((error: unknown) => error))).toEqual({
      code: "unsupported",
    });
  expect(specification.requests.filter((one) => one.endsWith("/pay/orders"))).toHaveLength(1);
  expect((await upstream.readCapabilities()).missing).toContain("orders");
});

test("an account stays logged in while extensions are missing", async () => {
  const { session, visit } = await open(responseShapes.list);
  expect(await readUser(visit)).toMatchObject({ phone: "13800000000" });
  expect(session.values.token).toBeTruthy();
});

async function uploadVoice(upstream: Upstream) {
  const form = new FormData();
  form.append("file", new Blob(["RIFF"]), "a.wav");
  return upstream
    .upload("recordingUpload", new Request("http://localhost/", { method: "POST", body: form }))
    .then(({ voicePath }) => ({ url: voicePath }));
}

test.each([
  ["/role/common/list", "squareList", { list: [{ name: "林小满" }], total: 1 }, "list.0.roleId"],
  ["/pay/product", "products", [{ pCount: 1, pCode: "a", packageType: 1, price: "39.00" }], "0.price"],
  ["/users/info", "userInfo", { phone: "13800000000", vipExpire: "forever" }, "vipExpire"],
] as const)(
  "%s that cannot be read is refused, with one line that names call and field",
  async (path, call, body, field) => {
    const lines: object[] = [];
    const { specification } = await open(responseShapes.list);
    const logger = { warn: (details: object) => void lines.push(details) };
    const upstream = createUpstreamClient({ baseUrl: specification.url, appId: "app", logger }).as(() => ({
      token: "t",
    }));
    specification.answerNext(path, { body: { code: 0, data: body, msg: "" } });
    expect(toRefusal(await upstream.call(call, {}).catch((error: unknown) => error))).toEqual({ code: "unreadable" });
    expect(lines).toEqual([expect.objectContaining({ call, cause: expect.stringContaining(`${field}: `) })]);
  },
);

test("a record that is done without a sound is shown as failed, with one line that names call and field", async () => {
  const lines: object[] = [];
  const { specification } = await open(responseShapes.list);
  const logger = { warn: (details: object) => void lines.push(details) };
  const upstream = createUpstreamClient({ baseUrl: specification.url, appId: "app", logger }).as(() => ({
    token: "t",
  }));
  specification.answerNext("/voice/list", {
    body: { code: 0, data: [{ id: 1, status: "SUCCESS", handle: 7 }], msg: "" },
  });
  const { list } = await upstream.call("cloneList", {});
  expect(list).toMatchObject([{ status: 3, reason: "unreadable" }]);
  expect(lines).toEqual([{ call: "cloneList", field: "voiceUrl" }]);
});

test("the legal texts ask for calls that there are", () => {
  const names = [...(terms + privacy).matchAll(/\{(\w+)\|/g)].map(([, name = ""]) => name);
  const others = ["embedded", "labelled", "vendors", "noVendors"];
  expect(names.filter((name) => !Object.hasOwn(calls, name) && !others.includes(name))).toEqual([]);
  expect(names.length).toBeGreaterThan(10);
});
