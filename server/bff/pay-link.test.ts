import { expect, test } from "vitest";
import { isScannable, toPayTarget } from "./pay-link.server";
import { createUpstreamClient } from "./upstream.server";

const gateway =
  "https://openapi.alipay.com/gateway.do?charset=utf-8&method=alipay.trade.page.pay&notify_url=n&sign=a%2Bb";
const content = '{"out_trade_no":"7","subject":"会员 > \'月\' & <季>"}';
const escaped = content.replaceAll("&", "&amp;").replaceAll('"', "&quot;");

test.each([
  ["weixin://wxpay/bizpayurl?pr=a1B2c3D", true],
  ["wxp://f2f0abcdefghijklmnopqrstuvwxyz", true],
  ["https://qr.alipay.com/bax03431ljhokirwl38f00a7", true],
  ["http://192.168.1.7:3000/cashier/0199f1b0-5b1e-7c7e-9c55-0b6ad8a3a001", true],
  [`https://openapi.alipay.com/gateway.do?app_id=2021&sign=${"a".repeat(344)}`, false],
  [`https://pay.example/${"付".repeat(70)}`, false],
  ["", false],
])("%s is scannable: %s", (link, expected) => {
  expect(isScannable(link)).toBe(expected);
});

test("a link stays as it is", () => {
  expect(toPayTarget(gateway)).toEqual({ payUrl: gateway, form: null });
  expect(toPayTarget("")).toEqual({ payUrl: "", form: null });
});

test("the POST form of a gateway is read into its address and fields", () => {
  const java = `<form name="punchout_form" method="post" action="${gateway}">
<input type="hidden" name="biz_content" value="${escaped}">
<input type="submit" value="立即支付" style="display:none" >
</form>
<script>document.forms[0].submit();</script>`;
  const php = `<form id='alipaysubmit' name='alipaysubmit' action='${gateway.replaceAll("&", "&amp;")}' method='POST'>
<input type='hidden' name='biz_content' value='${content.replaceAll("'", "&#39;")}'/><input type='submit' value='ok' style='display:none;''></form>
<script>document.forms['alipaysubmit'].submit();</script>`;
  const form = { action: gateway, fields: [{ name: "biz_content", value: content }] };
  for (const html of [java, php, `<!doctype html><html><body>${java}</body></html>`])
    expect(toPayTarget(html)).toEqual({ payUrl: "", form });
});

test("a GET form becomes the link that it opens", () => {
  const html = `<FORM ACTION="https://pay.example/go?dropped=1"><input name=id value=7><input name="note" value="a&#x26;b"></FORM>`;
  expect(toPayTarget(html)).toEqual({ payUrl: "https://pay.example/go?id=7&note=a%26b", form: null });
});

test.each([
  ["another site", '<form method="post" action="https://evil.example/gateway.do"></form>'],
  ["a look-alike", '<form method="post" action="https://notalipay.com/"></form>'],
  ["plain http", '<form method="post" action="http://openapi.alipay.com/gateway.do"></form>'],
  ["a script", '<form method="get" action="javascript:alert(1)"></form>'],
  ["no action", '<form method="post"></form>'],
  ["no form", "<p>系统繁忙</p>"],
])("HTML with %s leads nowhere", (_name, html) => {
  expect(toPayTarget(html)).toEqual({ payUrl: "", form: null });
});

test("an order that cannot be paid at its url is logged with its call and field", async () => {
  const lines: unknown[] = [];
  const logger = { warn: (details: object) => void lines.push(details) };
  for (const url of [null, "<html><body>登录</body></html>", "weixin://wxpay/bizpayurl?pr=1"]) {
    const fetch = () => Response.json({ code: 0, data: { orderId: "1", url }, msg: "" });
    await createUpstreamClient({ fetch, appId: "a", logger })
      .as(() => ({}))
      .call("orderCreate", { pCode: "a", platform: 1 });
  }
  expect(lines).toEqual(Array(2).fill({ call: "orderCreate", field: "url" }));
});
