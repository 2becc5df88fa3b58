import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bffPaths } from "~/call";
import { paths } from "~/paths";
import { openBucket } from "../support/bucket";
import { ingressRoutes, ofCompose, ofKubernetes, publishedAddresses, secrets } from "../support/deployment";
import {
  type FrontProxy,
  openCaddy,
  openForwardProxy,
  openNginx,
  requestFrom,
  type VisitorRequest,
} from "../support/front-proxy";
import { openWechatPay, type WechatPayServer } from "../support/payment-servers/wechat-pay";
import { findPostgres, freePort, startPostgres } from "../support/postgres";
import { startProduct } from "../support/product";
import { waitForRateWindow } from "../support/rate-window";

type Urls = Record<"web" | "api", string>;

const site = new URL(secrets.SITE_URL ?? "");
/** Reports of one address in an hour. */
const reportsMax = 20;
const windowSeconds = 3600;
const closedPort = "127.0.0.1:1";
const hostOf = (url: string) => new URL(url).host;

/** This machine's address for one that compose.yaml publishes. */
function composeAddressOf(urls: Urls) {
  const published = publishedAddresses();
  return (address: string) => {
    const service = published.get(address);
    return service === "web" || service === "api" ? hostOf(urls[service]) : closedPort;
  };
}

/** nginx as documented before the ports that compose.yaml publishes; replicas that do not run refuse. */
async function openComposeFront(urls: Urls): Promise<FrontProxy> {
  const addressOf = composeAddressOf(urls);
  const routes = [
    { path: "/", url: `http://${addressOf("127.0.0.1:3000")}` },
    { path: "/api/v1/", url: `http://${addressOf("127.0.0.1:3001")}` },
  ];
  return (await openNginx("docs/compose/nginx.conf", addressOf)) ?? openForwardProxy(routes);
}

const openIngress = (urls: Urls) =>
  openForwardProxy(ingressRoutes().map(({ path, service }) => ({ path, url: urls[service as keyof Urls] })));

/** Everything that the operator fills in: where database and files are, and a merchant's account. */
async function fillIn(closers: Array<() => Promise<unknown>>, { settings, publicKey }: WechatPayServer) {
  const postgres = await startPostgres(findPostgres() ?? "");
  const { numbered, close } = await openBucket();
  closers.push(() => postgres.stop(), close);
  return {
    ...secrets,
    DATABASE_URL: postgres.url,
    S3_ENDPOINT: numbered.endpoint,
    S3_STYLE: numbered.style,
    S3_ACCESS_KEY_ID: numbered.accessKeyId,
    S3_SECRET_ACCESS_KEY: numbered.secretAccessKey,
    WECHAT_PAY_MERCHANT_ID: settings.merchantId,
    WECHAT_PAY_APP_ID: settings.appId,
    WECHAT_PAY_SERIAL: settings.serial,
    WECHAT_PAY_PRIVATE_KEY: settings.privateKey,
    WECHAT_PAY_API_V3_KEY: settings.apiV3Key,
    WECHAT_PAY_PUBLIC_KEY_ID: publicKey.id,
    WECHAT_PAY_PUBLIC_KEY: publicKey.publicPem,
  };
}

/** A container's settings on this machine: its folder, its network, and the other services' addresses in it. */
function toLoopback(env: Record<string, string>, dataDir: string, apiUrl: string): Record<string, string> {
  const onThisMachine = (value: string) =>
    value
      .replace(/^http:\/\/api(:3000)?$/, apiUrl)
      .replace(/^\/data\b/, dataDir)
      .replace(/\b(10\.0\.0\.0\/8|172\.16\.0\.0\/12|192\.168\.0\.0\/16)\b/g, "127.0.0.0/12");
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, onThisMachine(value)]));
}

// The real build with the settings of the documented layouts and no others.
describe.runIf(findPostgres() && existsSync("build/server/index.js")).each([
  ["compose.yaml", ofCompose, "compose", openComposeFront],
  ["docs/kubernetes", ofKubernetes, "kubernetes", openIngress],
])("web and api of %s behind a proxy", (_layout, processesOf, prefix, openFront) => {
  const closers: Array<() => Promise<unknown>> = [];
  let wechat: WechatPayServer;
  let urls: Urls;
  let front: FrontProxy;

  beforeAll(async () => {
    wechat = await openWechatPay();
    closers.push(() => wechat.close());
    wechat.signer = { ...wechat.publicKey, serial: wechat.publicKey.id };
    const processes = processesOf(await fillIn(closers, wechat));
    const start = async (role: keyof Urls, apiUrl: string) => {
      const dataDir = mkdtempSync(join(tmpdir(), `deployment-${role}-`));
      closers.push(async () => rmSync(dataDir, { recursive: true, force: true }));
      const env = processes.find(({ name }) => name === `${prefix} ${role}`)?.env ?? {};
      const port = String(await freePort());
      const product = await startProduct({ ...toLoopback(env, dataDir, apiUrl), DATA_DIR: dataDir, PORT: port });
      // SIGINT: there is no balancer to wait for.
      closers.push(() => product.stop("SIGINT"));
      return `http://127.0.0.1:${port}`;
    };
    const api = await start("api", "");
    urls = { api, web: await start("web", api) };
    front = await openFront(urls);
    closers.push(() => front.close());
  }, 300_000);
  afterAll(async () => {
    for (const close of closers.reverse()) await close();
  });

  const ask = (path: string, { headers, ...request }: VisitorRequest) =>
    requestFrom(front.url + path, { ...request, headers: { ...headers, host: site.host } });

  /** A visitor of its own each time, whose address is not in the containers' network. */
  const report = async (roleId: string, address: number, headers: Record<string, string> = {}) => {
    const { status } = await ask(bffPaths.passed("roleReport"), {
      from: `127.100.0.${address}`,
      method: "POST",
      headers: { origin: site.origin, "content-type": "application/json", ...headers },
      body: JSON.stringify({ roleId, reason: "other" }),
    });
    return status;
  };

  const findRoleId = async () => {
    const { body } = await ask(bffPaths.squareVoices, { from: "127.100.0.1" });
    return (JSON.parse(body) as { voices: Array<{ roleId: string }> }).voices[0]?.roleId ?? "";
  };

  it("serve the home page together", async () => {
    const page = await ask(paths.home, { from: "127.100.0.1" });
    expect(page.status).toBe(200);
    const shown = await fetch(`${urls.api}/api/v1/role/common/home?size=1`, { headers: { appid: "shengxiang" } });
    const { data } = (await shown.json()) as { data: Array<{ name: string }> };
    expect(data).toHaveLength(1);
    expect(page.body).toContain(data[0]?.name);
  });

  it("count every visitor's address for itself, and nobody by an address that they name themselves", async () => {
    const roleId = await findRoleId();
    await waitForRateWindow(windowSeconds);
    const visitors = Array.from({ length: reportsMax + 5 }, (_, n) => n + 1);
    expect(await Promise.all(visitors.map((n) => report(roleId, n)))).toEqual(visitors.map(() => 200));

    const forged = visitors.map((n) => report(roleId, 200, { "x-forwarded-for": `203.0.113.${n}` }));
    expect((await Promise.all(forged)).sort()).toEqual(visitors.map((n) => (n <= reportsMax ? 200 : 429)));
    expect(await report(roleId, 201)).toBe(200);
  });

  it.runIf(prefix === "compose")("count visitors behind Caddy as behind nginx", async () => {
    const caddy = await openCaddy("docs/compose/Caddyfile", composeAddressOf(urls));
    if (!caddy) return;
    const roleId = await findRoleId();
    await waitForRateWindow(windowSeconds);
    const send = async (from: string, forged: string) => {
      const { status } = await requestFrom(caddy.url + bffPaths.passed("roleReport"), {
        ...{ from, method: "POST", body: JSON.stringify({ roleId, reason: "other" }) },
        headers: {
          host: site.host,
          origin: site.origin,
          "content-type": "application/json",
          "x-forwarded-for": forged,
        },
      });
      return status;
    };
    const forged = Array.from({ length: reportsMax + 2 }, (_, n) => send("127.101.0.1", `203.0.113.${n}`));
    expect((await Promise.all(forged)).filter((status) => status === 429)).toHaveLength(2);
    expect(await send("127.101.0.2", "127.101.0.1")).toBe(200);
    const { headers, body } = wechat.notify("TRANSACTION.CLOSED", {});
    const notified = { from: "127.101.0.3", method: "POST", headers: { ...headers, host: site.host }, body };
    expect((await requestFrom(`${caddy.url}/api/v1/pay/notify/wechat`, notified)).status).toBe(200);
    await caddy.close();
  });

  it("take a gateway's signed notification, and no other", async () => {
    const { headers, body } = wechat.notify("TRANSACTION.CLOSED", {});
    const path = "/api/v1/pay/notify/wechat";
    const send = (sent: string) => ask(path, { from: "127.100.0.202", method: "POST", headers, body: sent });
    expect((await send(body)).status).toBe(200);
    expect((await send(`${body} `)).status).toBe(401);
  });
});
