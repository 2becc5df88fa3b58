import { randomBytes, verify } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "~server/config";
import { examineGateways } from "~server/upstream/operations/doctor/gateways";
import type { Gateway } from "~server/upstream/payments/gateway";
import { createAlipay } from "~server/upstream/payments/gateways/alipay/alipay";
import { type AlipayServer, openAlipay } from "../support/payment-servers/alipay";
import { type Authority, type IssuedCertificate, openAuthority } from "../support/payment-servers/alipay-authority";
import { fault } from "../support/payment-servers/listen";

let server: AlipayServer;
let authority: Authority;
/** The same names, but not Alipay's keys. */
let strangers: Authority;
let app: IssuedCertificate;
let first: IssuedCertificate;
let next: IssuedCertificate;
let gateway: Gateway;
let offsetMs: number;

const settingsWith = (change: object = {}) => ({
  ...server.settings,
  publicKeys: [],
  certificates: { app: app.pem, alipay: `${first.pem}${authority.issuer}`, root: authority.rootFile, ...change },
});
const open = (change: object = {}) => createAlipay(settingsWith(change), () => new Date(Date.now() + offsetMs));

/** Alipay signs with these from now on and returns all of them on request. */
const use = (signer: IssuedCertificate, pem = signer.pem, number = signer.number) => {
  server.signer = signer;
  const own = new Map([[first.number, first.pem]]);
  own.delete(number);
  own.set(number, pem);
  server.certified = { app: app.number, root: authority.rootNumber, own };
};

beforeAll(async () => {
  [server, authority, strangers] = await Promise.all([openAlipay(), openAuthority(), openAuthority()]);
  const issued = [authority.issue(1, server.app), authority.issue(2, server.signer), authority.issue(2)] as const;
  [app, first, next] = await Promise.all(issued);
});
afterAll(() => server.close());
beforeEach(() => {
  Object.assign(server, { forge: undefined, asked: [] });
  offsetMs = 0;
  use(first);
  gateway = open();
});

const newNumber = () => randomBytes(16).toString("hex");
async function place(tradeType: "native" | "h5" = "native") {
  const request = {
    outTradeNo: newNumber(),
    orderId: "order",
    subject: "专业会员",
    amountFen: 990,
    platform: 2 as const,
    tradeType,
    expiresAt: new Date(Date.now() + 60_000),
    clientAddress: "203.0.113.9",
  };
  return { ...request, ...(await gateway.createPayment(request)) };
}
const parse = (body: string) => gateway.parseNotification({ headers: new Headers(), body });
const downloads = () => server.asked.filter(({ target }) => target.startsWith("/gateway.do")).length;

describe("calls in certificate mode", () => {
  it("contain the numbers of the app's certificate and Alipay's root, and accept answers signed with Alipay's certificate", async () => {
    const { outTradeNo, url } = await place();
    expect(url).toBe(`https://qr.alipay.com/${outTradeNo}`);
    server.pay(outTradeNo);
    expect(await gateway.query(outTradeNo)).toMatchObject({ state: "paid" });
    expect(downloads()).toBe(0);
  });

  it("are refused if they contain the number of another certificate or another root", async () => {
    const stranger = await authority.issue(1, server.app);
    expect(await fault(open({ app: stranger.pem }).query(newNumber()))).toBe("refused");
    expect(await fault(open({ root: strangers.rootFile }).query(newNumber()))).toBe("refused");
  });

  it("include both numbers in the signed link for phones", async () => {
    const { searchParams } = new URL((await place("h5")).url);
    const fields = Object.fromEntries(searchParams);
    expect(fields).toMatchObject({ app_cert_sn: app.number, alipay_root_cert_sn: authority.rootNumber });
    const { sign = "", ...signed } = fields;
    const text = Object.entries(signed).map(([name, value]) => `${name}=${value}`);
    const bytes = Buffer.from(text.sort().join("&"));
    expect(verify("RSA-SHA256", bytes, server.app.publicKey, Buffer.from(sign, "base64"))).toBe(true);
  });

  it("pass the doctor check", async () => {
    const found = await examineGateways([gateway], { mode: "production" }, new AbortController().signal);
    expect(found).toMatchObject([{ about: "alipay", state: "ok" }]);
  });
});

describe("answers in certificate mode", () => {
  const forge = (change: (headers: Record<string, string>, body: string) => { body?: string }) => {
    server.forge = (response) => ({ ...response, ...change(response.headers ?? {}, response.body.toString()) });
  };

  it("are rejected with one changed byte, another key or an invalid certificate number", async () => {
    const { outTradeNo } = await place();
    server.pay(outTradeNo);
    forge((_, body) => ({ body: body.replace("9.90", "9.91") }));
    expect(await fault(gateway.query(outTradeNo))).toBe("timeout");
    server.forge = undefined;
    server.signer = next;
    expect(await fault(gateway.query(outTradeNo))).toBe("timeout");
    server.signer = first;
    forge((headers) => {
      headers["alipay-sn"] = "../../etc/passwd";
      return {};
    });
    expect(await fault(gateway.query(outTradeNo))).toBe("timeout");
    expect(downloads()).toBe(0);
  });

  it("without a certificate number are verified with the known certificate only", async () => {
    forge((headers) => {
      delete headers["alipay-sn"];
      return {};
    });
    expect(await gateway.query(newNumber())).toEqual({ state: "unpaid" });
    server.signer = app;
    expect(await fault(gateway.query(newNumber()))).toBe("timeout");
  });

  it("are rejected after the certificate expires", async () => {
    offsetMs = 366 * 86_400_000;
    expect(await fault(gateway.query(newNumber()))).toBe("timeout");
  });
});

describe("a replaced certificate", () => {
  it("is fetched once for many answers, and verifies notifications", async () => {
    const { outTradeNo } = await place();
    const before = server.pay(outTradeNo);
    use(next);
    expect(await fault(parse(server.pay(outTradeNo)))).toBe("forged");
    const states = await Promise.all([1, 2, 3].map(() => gateway.query(outTradeNo)));
    expect(states.map(({ state }) => state)).toEqual(["paid", "paid", "paid"]);
    expect(downloads()).toBe(1);
    expect(await parse(server.pay(outTradeNo))).toMatchObject({ kind: "payment" });
    // Messages signed before the change may arrive after it.
    expect(await parse(before)).toMatchObject({ kind: "payment" });
    expect(downloads()).toBe(1);
  });

  it("is accepted together with its issuer if our file lacks the issuer", async () => {
    gateway = open({ alipay: first.pem });
    use(next);
    expect(await fault(gateway.query(newNumber()))).toBe("timeout");
    use(next, `${next.pem}${authority.issuer}`);
    expect(await gateway.query(newNumber())).toEqual({ state: "unpaid" });
  });

  it("is rejected when it is an app's, from another issuer, expired, not the requested one, or invalid", async () => {
    const [someApp, stranger, old] = await Promise.all([
      authority.issue(1, next),
      strangers.issue(2, next),
      authority.issue(2, next, [-800, -1]),
    ]);
    for (const one of [someApp, stranger, old]) {
      use(one);
      expect(await fault(gateway.query(newNumber()))).toBe("timeout");
    }
    use(next, first.pem, next.number);
    expect(await fault(gateway.query(newNumber()))).toBe("timeout");
    use(next, "<html>", next.number);
    expect(await fault(gateway.query(newNumber()))).toBe("timeout");
    // Sent with its own issuer, which is not trusted.
    use(stranger, `${stranger.pem}${strangers.issuer}${next.pem}`);
    expect(await fault(gateway.query(newNumber()))).toBe("timeout");
    use(next);
    expect(await gateway.query(newNumber())).toEqual({ state: "unpaid" });
  });

  it("is fetched again after a failure", async () => {
    use(next);
    server.forge = (response) =>
      "alipay-sn" in (response.headers ?? {}) && response.body.includes("cert_content")
        ? { status: 503, body: "" }
        : response;
    expect(await fault(gateway.query(newNumber()))).toBe("timeout");
    server.forge = undefined;
    expect(await gateway.query(newNumber())).toEqual({ state: "unpaid" });
  });
});

describe("settings in certificate mode", () => {
  const environment = (change: object = {}) => ({
    SITE_URL: "https://voice.example",
    DATA_DIR: "/tmp",
    ALIPAY_APP_ID: "2014",
    ALIPAY_SELLER_ID: "2088",
    ALIPAY_PRIVATE_KEY: server.app.privatePem,
    ALIPAY_APP_CERTIFICATE: app.pem.replaceAll("\n", "\\n"),
    ALIPAY_CERTIFICATE: first.pem,
    ALIPAY_ROOT_CERTIFICATE: authority.rootFile,
    ...change,
  });
  const faultsOf = (change: object): string[] => {
    try {
      readConfig(environment(change));
      return [];
    } catch (error) {
      return (error as { faults: string[] }).faults;
    }
  };

  it("accept three certificates instead of the key", () => {
    const { alipay } = readConfig(environment()).payments;
    expect(alipay?.certificates).toEqual({
      app: app.pem.trim(),
      alipay: first.pem.trim(),
      root: authority.rootFile.trim(),
    });
    expect(alipay?.publicKeys).toEqual([]);
  });

  it("report missing certificates, invalid ones and those of another key", async () => {
    for (const name of ["ALIPAY_APP_CERTIFICATE", "ALIPAY_CERTIFICATE", "ALIPAY_ROOT_CERTIFICATE"]) {
      expect(faultsOf({ [name]: "" })).toEqual([expect.stringContaining(`${name} is missing`)]);
      expect(faultsOf({ [name]: first.publicPem })).toEqual([expect.stringContaining(`${name} is neither`)]);
    }
    expect(faultsOf({ ALIPAY_PUBLIC_KEY: first.publicPem })).toEqual([expect.stringContaining("both set")]);
    const other = await authority.issue(1, next);
    expect(faultsOf({ ALIPAY_APP_CERTIFICATE: other.pem })).toEqual([expect.stringContaining("does not belong")]);
  });
});
