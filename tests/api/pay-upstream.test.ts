import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createServices } from "~server/upstream/compose/services";
import { createQueue } from "~server/upstream/jobs/queue";
import { createSandbox } from "~server/upstream/payments/gateways/sandbox/sandbox";
import { openTestDatabase } from "../support/database";
import { openWechatPay } from "../support/payment-servers/wechat-pay";
import { createToneSpeech } from "../support/tone-engine";
import { createVisitor, openTestUpstream, type TestUpstream, testConfig } from "../support/upstream";

let upstream: TestUpstream;
beforeAll(async () => {
  upstream = await openTestUpstream("embedded");
});
afterAll(() => upstream.close());

const notify = (init: RequestInit) =>
  upstream.services.fetch(new Request("http://upstream/api/v1/pay/notify/sandbox", { method: "POST", ...init }));

it("the packages are listed for visitors, and orders require a login", async () => {
  const visitor = createVisitor(upstream.services);
  const { data } = await visitor.get<Array<{ pCode: string }>>("/pay/product");
  expect(data.at(-1)?.pCode).toBe("vip-month");
  const sign = "0".repeat(32);
  expect(await visitor.post("/pay/order/qrcode", { pCode: "vip-month", sign, platform: 1 })).toMatchObject({ code: 5 });
  for (const path of ["/pay/orders", "/users/ledger"]) expect((await visitor.get(path)).code).toBe(5);
});

it("notifications are accepted without an appid and answered in the gateway's format", async () => {
  const answer = await notify({ body: "{}" });
  expect([answer.status, await answer.text()]).toEqual([401, "fail"]);
});

it("notifications are rate limited per address", async () => {
  const bring = (address: string) => {
    const init = { method: "POST", body: "{}", headers: { "x-forwarded-for": address } };
    return upstream.services.fetch(new Request("http://upstream/api/v1/pay/notify/wechat", init));
  };
  const answers = await Promise.all(Array.from({ length: 250 }, () => bring("203.0.113.7")));
  expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(50);
  expect(answers.find(({ status }) => status === 429)?.headers.get("retry-after")).toMatch(/^\d+$/);
  expect((await bring("203.0.113.8")).status).toBe(404);
});

it.each(["application/json", "multipart/form-data; boundary=x"])(
  "notifications are limited in size as %s",
  async (type) => {
    expect((await notify({ body: "x".repeat(70_000), headers: { "content-type": type } })).status).toBe(413);
  },
);

it("the sandbox is absent in production mode", async () => {
  const database = await openTestDatabase("embedded");
  const parts = { db: database.db, queue: createQueue(), cashierUrl: (id: string) => id };
  await expect(createSandbox({ ...parts, mode: "production" })).rejects.toThrow("production");
  const dataDir = await mkdtemp(join(tmpdir(), "test-production-"));
  const config = { ...testConfig(dataDir), mode: "production" as const };
  const services = await createServices(config, { speech: createToneSpeech(), previews: false, database });
  const visitor = createVisitor(services);
  expect((await visitor.get("/sandbox/cashier?id=x")).status).toBe(404);
  const knock = new Request("http://upstream/api/v1/pay/notify/sandbox", { method: "POST", body: "{}" });
  expect((await services.fetch(knock)).status).toBe(404);
  expect((await visitor.get("/pay/product")).code).toBe(0);
  await services.close();
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

it.each(["demo", "production"] as const)(
  "only configured gateways are available in %s mode, plus the sandbox in demo mode",
  async (mode) => {
    const vendor = await openWechatPay();
    const database = await openTestDatabase("embedded");
    const dataDir = await mkdtemp(join(tmpdir(), "test-gateways-"));
    const payments = { wechatPay: vendor.settings, alipay: undefined };
    const config = { ...testConfig(dataDir), mode, payments };
    const services = await createServices(config, { speech: createToneSpeech(), previews: false, database });
    const tell = async (name: string, init: RequestInit = { body: "{}" }) => {
      const answer = await services.fetch(
        new Request(`http://upstream/api/v1/pay/notify/${name}`, { method: "POST", ...init }),
      );
      return [answer.status, (await answer.text()).slice(0, 14)];
    };
    expect(await tell("wechat")).toEqual([401, '{"code":"FAIL"']);
    expect(await tell("wechat", vendor.notify("COUPON.USE", {}))).toEqual([200, '{"code":"SUCCE']);
    expect((await tell("alipay"))[0]).toBe(404);
    expect((await tell("sandbox"))[0]).toBe(mode === "demo" ? 401 : 404);
    await services.close();
    await Promise.all([database.close(), vendor.close()]);
    await rm(dataDir, { recursive: true, force: true });
  },
);
