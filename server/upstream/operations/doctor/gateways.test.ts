import { beforeAll, expect, test } from "vitest";
import { certify, createPair } from "../../../../tests/support/payment-servers/keys";
import { examineCertificates } from "./gateways";

const endsAt = new Date("2027-06-30T00:00:00Z");
let pem: string;
beforeAll(async () => {
  const from = new Date("2026-01-01T00:00:00Z");
  pem = (await certify(createPair(), { serial: "5157F09EFDC096DE", from, to: endsAt })).certificate;
});
const examine = (daysBefore: number) =>
  examineCertificates("alipay", { ALIPAY_CERTIFICATE: pem }, new Date(endsAt.getTime() - daysBefore * 86_400_000));

test("a certificate passes until a month before it expires, then warns", () => {
  expect(examine(30)).toEqual([{ about: "alipay", state: "ok", message: "ALIPAY_CERTIFICATE until 2027-06-30" }]);
  const message = "ALIPAY_CERTIFICATE ends on 2027-06-30, in 29 days";
  expect(examine(29.5)).toEqual([{ about: "alipay", state: "warn", message, todo: expect.any(String) }]);
});

test("an expired certificate fails, and no certificates give no finding", () => {
  expect(examine(0)).toMatchObject([{ state: "fail", message: "ALIPAY_CERTIFICATE ended on 2027-06-30" }]);
  expect(examineCertificates("alipay", {}, endsAt)).toEqual([]);
});
