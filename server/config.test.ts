import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ConfigError, readConfig, settingNames } from "./config";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "config-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const faultsOf = (env: Record<string, string | undefined>): string[] => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
};
const secret = "9f1c4be7a2d05836c8e17f3ab64d920b";
const dataKey = "5d80b3f62e9a714c0fb8d246a97e13c5";
const sms = {
  SMS_PROVIDER: "aliyun",
  SMS_ACCESS_KEY_ID: "id",
  SMS_ACCESS_KEY_SECRET: "secret",
  SMS_SIGN_NAME: "声像",
  SMS_TEMPLATE_CODE: "SMS_1",
};

test("page settings are read from the environment, and an invalid analytics id is refused", () => {
  const { frame } = readConfig({ DATA_DIR: dir, BANNER_TEXT: "今晚维护", BUILD_CHECK_SECONDS: "60" });
  expect(frame).toMatchObject({ banner: { text: "今晚维护", link: null }, buildCheckMs: 60_000, iconServiceUrl: null });
  expect(frame.contact).toEqual({ text: null, qrText: "", qrImage: null });
  expect(frame.operator).toEqual({ company: null, icpNumber: null });
  const operator = { COMPANY_NAME: "声像科技有限公司", ICP_NUMBER: "京ICP备12345678号-1" };
  expect(readConfig({ DATA_DIR: dir, ...operator }).frame.operator).toEqual({
    company: operator.COMPANY_NAME,
    icpNumber: operator.ICP_NUMBER,
  });
  expect(faultsOf({ DATA_DIR: dir, ICP_NUMBER: "12345678" })).toHaveLength(1);
  const strange = { BANNER_LINK: "//evil.example", ANALYTICS_BAIDU_ID: "x", ANALYTICS_GTAG_ID: "G-1'><script>" };
  expect(faultsOf({ DATA_DIR: dir, BANNER_LINK: strange.BANNER_LINK })).toHaveLength(1);
  expect(faultsOf({ DATA_DIR: dir, ...strange })).toHaveLength(2);
});

describe("demo mode", () => {
  test("needs no settings and saves its generated secret for the next start", () => {
    const first = readConfig({ DATA_DIR: dir });
    expect(first).toMatchObject({ port: 3000, mode: "demo", role: "all", siteName: "声像", siteUrl: null });
    const { sessionSecrets, dataKey, sms } = readConfig({ DATA_DIR: dir });
    expect({ sessionSecrets, dataKey }).toEqual({ sessionSecrets: first.sessionSecrets, dataKey: first.dataKey });
    expect(dataKey).not.toBe(sessionSecrets[0]);
    expect(sms).toBeUndefined();
    for (const name of ["session-secret", "data-key"]) expect(statSync(join(dir, name)).mode & 0o077).toBe(0);
  });

  test("treats an empty variable as unset", () => {
    const empty = Object.fromEntries(settingNames.map((name) => [name, ""]));
    expect(readConfig({ ...empty, DATA_DIR: dir })).toEqual(readConfig({ DATA_DIR: dir }));
  });

  test("ignores a saved secret that is empty after a fault", () => {
    writeFileSync(join(dir, "session-secret"), "");
    expect(faultsOf({ DATA_DIR: dir })).toEqual([expect.stringContaining("session-secret is empty")]);
  });

  test.each(["/proc/x/y", "/dev/null", "/dev/null/x"])("names DATA_DIR when it cannot be %s", (path) => {
    expect(faultsOf({ DATA_DIR: path })).toEqual([expect.stringContaining(`DATA_DIR is ${path}, which cannot`)]);
  });

  test("requires an http(s) address as SITE_URL", () => {
    expect(faultsOf({ DATA_DIR: dir, SITE_URL: "localhost:3000" })).toEqual(["SITE_URL is not an http(s) URL"]);
    expect(faultsOf({ DATA_DIR: dir, FILE_ORIGINS: "cdn.example:443" })).toHaveLength(1);
  });

  test("accepts folders of files in FILE_PATHS and none of the API's calls", () => {
    const fit = "/uploads/,/static/voice/,/api/v1/file/get/,/backend/api/v1/files/";
    expect(readConfig({ DATA_DIR: dir, FILE_PATHS: fit }).filePaths).toHaveLength(4);
    for (const path of [
      "/",
      "uploads/",
      "/uploads",
      "/a/../b/",
      "/a%2f/",
      "//cdn/",
      "/api/",
      "/api/v1/",
      "/api/v1/voice/",
    ])
      expect(faultsOf({ DATA_DIR: dir, FILE_PATHS: path }), path).toHaveLength(1);
  });

  test("decrypts with several secrets and encrypts with the newest", () => {
    expect(readConfig({ DATA_DIR: dir, SESSION_SECRET: "new,old" }).sessionSecrets).toEqual(["new", "old"]);
  });
});

test.each(["https://api.cn", "https://api.cn/", "https://api.cn/api/v1", "https://api.cn//api/v1//"])(
  "reads the upstream %s without /api/v1",
  (address) => {
    expect(readConfig({ API_BASE_URL: address, DATA_DIR: dir }).apiBaseUrl).toBe("https://api.cn");
  },
);

describe("production mode", () => {
  test("reports every missing setting at once", () => {
    expect(faultsOf({ APP_MODE: "production", DATA_DIR: dir })).toEqual([
      expect.stringContaining("SITE_URL"),
      expect.stringContaining("SESSION_SECRET"),
      expect.stringContaining("DATA_KEY"),
      expect.stringContaining("SMS_PROVIDER"),
      expect.stringContaining("DATABASE_URL"),
    ]);
  });

  test("requires only the key of a worker, and no secrets of a site in front of an external api", () => {
    const behind = { APP_MODE: "production", DATABASE_URL: "postgres://x/y" };
    expect(faultsOf({ ...behind, ROLE: "worker" })).toEqual([expect.stringContaining("DATA_KEY")]);
    expect(faultsOf({ ...behind, ROLE: "api" })).toEqual([
      expect.stringContaining("DATA_KEY"),
      expect.stringContaining("SMS_PROVIDER"),
    ]);
    const site = { SITE_URL: "https://a.cn", SESSION_SECRET: secret, API_BASE_URL: "https://api.cn", APP_ID: "a" };
    expect(faultsOf({ APP_MODE: "production", ...site })).toEqual([]);
  });

  test("refuses plain http and weak secrets", () => {
    const env = {
      APP_MODE: "production",
      SITE_URL: "http://a.cn",
      SESSION_SECRET: "aaaa",
      DATA_KEY: "bbbb",
      DATABASE_URL: "postgres://x/y",
      ...sms,
    };
    expect(faultsOf(env)).toEqual([
      "SITE_URL is not https",
      expect.stringContaining("SESSION_SECRET is weak"),
      expect.stringContaining("DATA_KEY is weak"),
    ]);
  });

  const whole = () => ({
    APP_MODE: "production",
    SITE_URL: "https://voice.example.cn/",
    SESSION_SECRET: secret,
    DATA_KEY: dataKey,
    DATABASE_URL: "postgres://localhost/voice",
    DATA_DIR: dir,
    ...sms,
  });

  test.each([
    ["SESSION_SECRET", "0123456789abcdef0123456789abcdef", "SESSION_SECRET is weak"],
    ["SESSION_SECRET", dataKey, "SESSION_SECRET is used twice"],
    ["METRICS_TOKEN", "scrape", "METRICS_TOKEN is weak"],
    ["METRICS_TOKEN", secret, "SESSION_SECRET is used twice"],
    ["TRUSTED_PROXIES", "10.0.0.0/8 0.0.0.0/0", "TRUSTED_PROXIES has 0.0.0.0/0"],
    ["TRUSTED_PROXIES", "0.0.0.0/1", "TRUSTED_PROXIES has 0.0.0.0/1"],
    ["TRUSTED_PROXIES", "::/0", "TRUSTED_PROXIES has ::/0"],
    ["TRUSTED_PROXIES", "proxy.internal", 'TRUSTED_PROXIES has "proxy.internal"'],
    ["SITE_URL", "https://voice.example.cn/app", "SITE_URL has more than a host"],
    ["SITE_URL", "https://voice.example.cn/?a=1", "SITE_URL has more than a host"],
    ["SITE_URL", "https://me@voice.example.cn", "SITE_URL has more than a host"],
  ])("refuses %s=%s", (name, value, fault) => {
    expect(faultsOf({ ...whole(), [name]: value })).toEqual([expect.stringContaining(fault)]);
  });

  test("accepts private networks and single proxies as trusted", () => {
    expect(
      faultsOf({ ...whole(), TRUSTED_PROXIES: "10.0.0.0/8,172.16.0.0/12 fd00::/8 fc00::/7 203.0.113.7 ::1" }),
    ).toEqual([]);
  });

  test("starts with complete settings", () => {
    const env = {
      APP_MODE: "production",
      SITE_URL: "https://voice.example.cn/",
      SESSION_SECRET: secret,
      DATA_KEY: dataKey,
      DATABASE_URL: "postgres://localhost/voice",
      DATA_DIR: dir,
      ...sms,
    };
    expect(readConfig(env)).toMatchObject({
      siteUrl: "https://voice.example.cn",
      databaseUrl: env.DATABASE_URL,
      dataKey: env.DATA_KEY,
      sms: { provider: "aliyun", signName: "声像", appId: "" },
    });
  });
});

test("an SMS provider requires all of its settings", () => {
  expect(faultsOf({ SMS_PROVIDER: "pigeon", DATA_DIR: dir })).toEqual([expect.stringContaining("SMS_PROVIDER")]);
  expect(faultsOf({ SMS_PROVIDER: "tencent", SMS_SIGN_NAME: "声像", DATA_DIR: dir })).toEqual(
    ["SMS_ACCESS_KEY_ID", "SMS_ACCESS_KEY_SECRET", "SMS_TEMPLATE_CODE", "SMS_APP_ID"].map((name) =>
      expect.stringContaining(`${name} is missing`),
    ),
  );
});

describe("payment gateways", () => {
  const { privateKey, publicKey: ownHalf } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const privatePem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const publicPem = publicKey.export({ type: "spki", format: "pem" }).toString();
  const bare = (pem: string) => pem.replace(/-----[A-Z ]+-----|\s/g, "");
  const wechat = {
    WECHAT_PAY_MERCHANT_ID: "1900000001",
    WECHAT_PAY_APP_ID: "wx1",
    WECHAT_PAY_SERIAL: "5157F09E",
    WECHAT_PAY_PRIVATE_KEY: privatePem.replaceAll("\n", "\\n"),
    WECHAT_PAY_API_V3_KEY: "k".repeat(32),
  };
  const alipay = {
    ALIPAY_APP_ID: "2014",
    ALIPAY_SELLER_ID: "2088",
    ALIPAY_PRIVATE_KEY: bare(privatePem),
    ALIPAY_PUBLIC_KEY: bare(publicPem),
  };
  const site = () => ({ DATA_DIR: dir, SITE_URL: "https://voice.example/" });

  test("are disabled unless configured", () => {
    expect(readConfig({ DATA_DIR: dir }).payments).toMatchObject({
      ...{ wechatPay: undefined, alipay: undefined },
      referral: { characters: 0, monthMax: 10 },
    });
  });

  test("accept keys as PEM, as bare base64 and as files, and know their notification addresses", () => {
    const path = join(dir, "alipay-keys.pem");
    writeFileSync(path, `${publicPem}${publicPem}`);
    const { payments } = readConfig({ ...site(), ...wechat, ...alipay });
    expect(payments.wechatPay).toMatchObject({
      privateKey: privatePem,
      publicKey: null,
      endpoint: "https://api.mch.weixin.qq.com",
      notifyUrl: "https://voice.example/api/v1/pay/notify/wechat",
    });
    expect(payments.alipay).toMatchObject({
      privateKey: privatePem,
      publicKeys: [publicPem],
      notifyUrl: "https://voice.example/api/v1/pay/notify/alipay",
      returnUrl: "https://voice.example/user/subscribe",
      desktop: "code",
    });
    const apart = { ...site(), ...alipay, ALIPAY_PUBLIC_KEY: path, PAY_NOTIFY_ORIGIN: "https://api.voice.example" };
    expect(readConfig(apart).payments.alipay).toMatchObject({
      publicKeys: [publicPem, publicPem],
      notifyUrl: "https://api.voice.example/api/v1/pay/notify/alipay",
    });
  });

  test("require all of their settings or none", () => {
    for (const whole of [wechat, alipay]) {
      for (const name of Object.keys(whole)) {
        expect(faultsOf({ ...site(), ...whole, [name]: "" })).toEqual([expect.stringContaining(`${name} is missing`)]);
      }
    }
    expect(faultsOf({ DATA_DIR: dir, ...wechat })).toEqual([expect.stringContaining("SITE_URL")]);
    expect(faultsOf({ ...site(), ...wechat, WECHAT_PAY_PUBLIC_KEY_ID: "PUB_KEY_ID_1" })).toHaveLength(1);
  });

  test.each([
    ["WECHAT_PAY_PRIVATE_KEY", "/nowhere.pem"],
    ["WECHAT_PAY_PRIVATE_KEY", publicPem],
    ["WECHAT_PAY_API_V3_KEY", "short"],
    ["ALIPAY_PRIVATE_KEY", `MII${"A".repeat(200)}`],
    ["ALIPAY_PUBLIC_KEY", privatePem],
    ["ALIPAY_ENDPOINT", "ftp://x"],
  ])("reject %s without a valid value, and do not print the value", (name, value) => {
    const faults = faultsOf({ ...site(), ...wechat, ...alipay, [name]: value });
    expect(faults).toEqual([expect.stringContaining(name)]);
    expect(faults.join()).not.toContain(value.slice(-40));
  });

  test("reject the public half of our own key as the gateway's key", () => {
    const own = ownHalf.export({ type: "spki", format: "pem" }).toString();
    const id = { WECHAT_PAY_PUBLIC_KEY_ID: "PUB_KEY_ID_1" };
    const faults = faultsOf({
      ...site(),
      ...wechat,
      ...alipay,
      ...id,
      WECHAT_PAY_PUBLIC_KEY: own,
      ALIPAY_PUBLIC_KEY: own,
    });
    expect(faults).toEqual([
      expect.stringContaining("WECHAT_PAY_PUBLIC_KEY is the public half of WECHAT_PAY_PRIVATE_KEY"),
      expect.stringContaining("ALIPAY_PUBLIC_KEY is the public half of ALIPAY_PRIVATE_KEY"),
    ]);
  });

  test("require TLS in production", () => {
    const faults = faultsOf({ ...site(), ...wechat, APP_MODE: "production", WECHAT_PAY_ENDPOINT: "http://x" });
    expect(faults).toContainEqual("WECHAT_PAY_ENDPOINT is not an https URL");
  });
});

test("a role with missing requirements is refused in every mode", () => {
  expect(faultsOf({ ROLE: "web", DATA_DIR: dir })).toEqual([expect.stringContaining("API_BASE_URL")]);
  expect(faultsOf({ ROLE: "worker", DATA_DIR: dir })).toEqual([expect.stringContaining("DATABASE_URL")]);
  expect(faultsOf({ PORT: "99999", ROLE: "cook" })).toHaveLength(2);
});
