import { randomBytes, randomUUID, verify } from "node:crypto";
import { zipSync } from "fflate";
import type { AlipaySettings } from "~server/settings/payments";
import { encodeGbk } from "./gbk";
import { createPair, type Pair, sign } from "./keys";
import { listen, type PaymentServer, type ReceivedRequest, type VendorResponse } from "./listen";

interface Trade {
  out: string;
  yuan: string;
  state: "WAIT_BUYER_PAY" | "TRADE_SUCCESS" | "TRADE_CLOSED" | "TRADE_FINISHED";
  /** Not scanned yet: queries do not find it. */
  isScanned: boolean;
  number: string;
  paidAt: string;
  request: Record<string, unknown>;
}

export interface AlipayServer extends PaymentServer {
  settings: AlipaySettings;
  trades: Map<string, Trade>;
  refunds: Map<string, { out: string; yuan: string }>;
  app: Pair;
  /** Key that signs answers and notifications. */
  signer: Pair;
  /** Certificate mode: the expected certificate numbers, and its own certificates by number, the newest last. */
  certified: { app: string; root: string; own: Map<string, string> } | undefined;
  /** Changes answers after they are signed. */
  forge: ((response: VendorResponse) => VendorResponse) | undefined;
  /** The rows of the day's bill; undefined: no bill. */
  bill: string | undefined;
  scan(out: string): Trade;
  pay(out: string, change?: Record<string, string>): string;
  /** The body of a notification, in the charset that it names. */
  notify(fields: Record<string, string>, signType?: "RSA" | "RSA2"): string;
}

const appId = "2014072300007148";
const sellerId = "2088101117955611";
const wallTime = (at: Date) => new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 19).replace("T", " ");

/** A server of Alipay's open API version 3 as documented by Alipay, with its own keys. */
export async function openAlipay(now: () => Date = () => new Date()): Promise<AlipayServer> {
  const [app, signer] = [createPair(), createPair()];
  let state: AlipayServer;
  const server = await listen((asked) => {
    const response = answer(state, asked);
    const timestamp = String(now().getTime());
    const nonce = randomUUID();
    const headers = {
      "content-type": "application/json",
      "alipay-timestamp": timestamp,
      "alipay-nonce": nonce,
      "alipay-signature": sign(state.signer, `${timestamp}\n${nonce}\n${response.body}\n`),
      ...(state.certified && { "alipay-sn": [...state.certified.own.keys()].at(-1) ?? "" }),
    };
    const signed = { ...response, headers: { ...headers, ...response.headers } };
    return state.forge?.(signed) ?? signed;
  });
  const settings: AlipaySettings = {
    appId,
    sellerId,
    privateKey: app.privatePem,
    publicKeys: [signer.publicPem],
    certificates: null,
    endpoint: server.origin,
    notifyUrl: "https://voice.example/api/v1/pay/notify/alipay",
    returnUrl: "https://voice.example/",
    desktop: "code",
  };
  state = Object.assign(server, {
    settings,
    trades: new Map<string, Trade>(),
    refunds: new Map(),
    app,
    signer,
    certified: undefined,
    forge: undefined,
    bill: undefined,
    notify: (fields: Record<string, string>, signType: "RSA" | "RSA2" = "RSA2") =>
      notification(state, fields, signType),
    scan(out: string) {
      const trade = state.trades.get(out);
      if (!trade) throw new Error(`no trade ${out}`);
      trade.isScanned = true;
      return trade;
    },
    pay(out: string, change: Record<string, string> = {}) {
      const trade = state.scan(out);
      trade.state = "TRADE_SUCCESS";
      trade.number ||= `2026${randomBytes(12).toString("hex")}`;
      trade.paidAt ||= wallTime(now());
      return notification(state, { ...describe(trade, now()), ...change }, "RSA2");
    },
  });
  return state;
}

const describe = ({ out, yuan, state, number, paidAt }: Trade, now: Date) => ({
  notify_type: "trade_status_sync",
  notify_id: randomUUID(),
  notify_time: wallTime(now),
  app_id: appId,
  seller_id: sellerId,
  charset: "utf-8",
  version: "1.0",
  subject: "专业会员 · 年度 + 100%",
  body: "",
  out_trade_no: out,
  trade_no: number,
  trade_status: state,
  total_amount: yuan,
  receipt_amount: yuan,
  gmt_payment: paidAt,
});

function notification({ signer }: AlipayServer, fields: Record<string, string>, signType: "RSA" | "RSA2"): string {
  const names = Object.keys(fields).sort();
  const text = names.map((name) => `${name}=${fields[name]}`).join("&");
  const encode = fields.charset === "GBK" ? encodeGbk : (value: string) => Buffer.from(value);
  const signature = sign(signer, encode(text), signType === "RSA" ? "RSA-SHA1" : "RSA-SHA256");
  const toPair = ([name, value]: [string, string]) =>
    `${name}=${[...encode(value)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("")}`;
  return Object.entries({ ...fields, sign_type: signType, sign: signature })
    .map(toPair)
    .join("&");
}

const json = (value: unknown, status = 200): VendorResponse => ({ status, body: JSON.stringify(value) });
const no = (code: string, status = 400) => json({ code, message: code, links: [] }, status);

function isOurs({ app, certified }: AlipayServer, { method, target, headers, body }: ReceivedRequest): boolean {
  const [, who = "", signature = ""] = /^ALIPAY-SHA256withRSA (.+),sign=(.+)$/.exec(headers.authorization ?? "") ?? [];
  const text = `${who}\n${method}\n${target}\n${body}\n`;
  const isSigned = verify("RSA-SHA256", Buffer.from(text), app.publicKey, Buffer.from(signature, "base64"));
  const certificate = certified ? `app_cert_sn=${certified.app},` : "";
  const isRooted = headers["alipay-root-cert-sn"] === certified?.root;
  return isSigned && isRooted && new RegExp(`^app_id=${appId},${certificate}nonce=[^,]+,timestamp=\\d{13}$`).test(who);
}

function answer(state: AlipayServer, asked: ReceivedRequest): VendorResponse {
  const { pathname } = new URL(asked.target, "http://x");
  if (pathname === "/gateway.do" && asked.method === "GET") return openPage(state, asked);
  if (pathname === "/cashier") return payOnPage(state, asked);
  if (pathname === "/gateway.do") return tellCertificate(state, new URLSearchParams(asked.body));
  if (pathname === "/bill.zip") return { status: 200, body: zipOf(state.bill ?? "") };
  if (!isOurs(state, asked)) return no("isv.invalid-signature", 401);
  if (asked.target.startsWith("/v3/alipay/data/dataservice/bill/downloadurl/query?bill_type=trade&bill_date=")) {
    if (state.bill === undefined) return no("isp.bill_not_exist");
    return json({ bill_download_url: `${state.origin}/bill.zip` });
  }
  const call = calls[pathname.replace("/v3/alipay/trade/", "")];
  return call && asked.method === "POST" ? call(state, JSON.parse(asked.body)) : no("isv.method-not-exist", 404);
}

const fieldsOf = ({ target }: ReceivedRequest) => Object.fromEntries(new URL(target, "http://x").searchParams);

/** alipay.trade.page.pay and wap.pay: the page that a signed link opens, and that creates the trade. */
function openPage({ app, trades }: AlipayServer, asked: ReceivedRequest): VendorResponse {
  const { sign: signature = "", ...fields } = fieldsOf(asked);
  const text = Object.keys(fields)
    .sort()
    .map((name) => `${name}=${fields[name]}`);
  const isSigned = verify("RSA-SHA256", Buffer.from(text.join("&")), app.publicKey, Buffer.from(signature, "base64"));
  const isPage = /^alipay\.trade\.(page|wap)\.pay$/.test(fields.method ?? "") && fields.app_id === appId;
  if (!isSigned || !isPage) return { status: 200, body: "invalid-signature" };
  const { out_trade_no: out, total_amount: yuan } = JSON.parse(fields.biz_content ?? "{}");
  const fresh = { out, yuan, state: "WAIT_BUYER_PAY" as const, isScanned: true, number: "", paidAt: "" };
  trades.set(out, trades.get(out) ?? { ...fresh, request: fields });
  const body = `<!doctype html><title>Alipay</title><link href="data:," rel="icon"><form action="/cashier?out=${out}" method="post">
    <h1>${fields.method} ${yuan}</h1><button>pay</button></form>`;
  return { status: 200, headers: { "content-type": "text/html" }, body };
}

function payOnPage(state: AlipayServer, asked: ReceivedRequest): VendorResponse {
  const { out = "" } = fieldsOf(asked);
  state.pay(out);
  const back = new URL(String(state.trades.get(out)?.request.return_url));
  back.searchParams.set("out_trade_no", out);
  return { status: 302, headers: { location: back.href }, body: "" };
}

/** The only call of version 2. Its answer is signed under the newest certificate. */
function tellCertificate({ app, certified }: AlipayServer, form: URLSearchParams): VendorResponse {
  const signature = Buffer.from(form.get("sign") ?? "", "base64");
  form.delete("sign");
  const text = [...form].map(([name, value]) => `${name}=${value}`).sort();
  const isSigned = verify("RSA-SHA256", Buffer.from(text.join("&")), app.publicKey, signature);
  const isNamed = form.get("app_cert_sn") === certified?.app && form.get("alipay_root_cert_sn") === certified?.root;
  const { alipay_cert_sn } = JSON.parse(form.get("biz_content") ?? "{}");
  const pem = certified?.own.get(alipay_cert_sn);
  const isAsked = form.get("method") === "alipay.open.app.alipaycert.download" && pem && isSigned && isNamed;
  if (!isAsked) return json({ error_response: { code: "40002", msg: "Invalid Arguments" } });
  const answer = { code: "10000", msg: "Success", alipay_cert_content: Buffer.from(pem).toString("base64") };
  return json({ alipay_open_app_alipaycert_download_response: answer, alipay_cert_sn, sign: "" });
}

type Fields = Record<string, string>;

const calls: Record<string, (state: AlipayServer, fields: Fields) => VendorResponse> = {
  precreate({ trades }, request) {
    const { out_trade_no: out = "", total_amount: yuan = "", time_expire = "", notify_url = "" } = request;
    const isWhole = /^\d+\.\d\d$/.test(yuan) && /^[\d-]{10} [\d:]{8}$/.test(time_expire) && notify_url !== "";
    if (!isWhole) return no("ACQ.INVALID_PARAMETER");
    const known = trades.get(out);
    if (known && known.state !== "WAIT_BUYER_PAY") return no("ACQ.TRADE_HAS_SUCCESS");
    if (known && known.yuan !== yuan) return no("ACQ.CONTEXT_INCONSISTENT");
    const fresh = { out, yuan, state: "WAIT_BUYER_PAY" as const, isScanned: false, number: "", paidAt: "", request };
    trades.set(out, known ?? fresh);
    return json({ out_trade_no: out, qr_code: `https://qr.alipay.com/${out}` });
  },
  query({ trades }, { out_trade_no: out = "" }) {
    const trade = trades.get(out);
    if (!trade?.isScanned) return no("ACQ.TRADE_NOT_EXIST");
    const { yuan, state, number, paidAt } = trade;
    const paid = paidAt && { send_pay_date: paidAt };
    return json({ out_trade_no: trade.out, trade_no: number || "1", trade_status: state, total_amount: yuan, ...paid });
  },
  close({ trades }, { out_trade_no: out = "" }) {
    const trade = trades.get(out);
    if (!trade?.isScanned) return no("ACQ.TRADE_NOT_EXIST");
    if (trade.state !== "WAIT_BUYER_PAY") return no("ACQ.REASON_TRADE_STATUS_INVALID");
    trade.state = "TRADE_CLOSED";
    return json({ out_trade_no: out, trade_no: "1" });
  },
  refund({ trades, refunds }, { out_trade_no: out = "", out_request_no: number = "", refund_amount: yuan = "" }) {
    const trade = trades.get(out);
    if (!trade?.paidAt || !/^\d+\.\d\d$/.test(yuan)) return no("ACQ.TRADE_NOT_ALLOW_REFUND");
    const known = refunds.get(number);
    if (known && known.yuan !== yuan) return no("ACQ.REFUND_AMT_NOT_EQUAL_TOTAL");
    refunds.set(number, { out, yuan });
    if (yuan === trade.yuan) trade.state = "TRADE_CLOSED";
    return json({ out_trade_no: out, trade_no: trade.number, refund_fee: yuan, fund_change: known ? "N" : "Y" });
  },
  "fastpay/refund/query"({ trades, refunds }, { out_trade_no: out = "", out_request_no: number = "" }) {
    if (!trades.get(out)?.isScanned) return no("ACQ.TRADE_NOT_EXIST");
    const refund = refunds.get(number);
    return json(refund ? { out_request_no: number, refund_amount: refund.yuan, refund_status: "REFUND_SUCCESS" } : {});
  },
};

const head =
  "支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,订单金额（元）,商家实收（元）,支付宝红包（元）,集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,券名称,商家红包消费金额（元）,卡消费金额（元）,退款批次号/请求号,服务费（元）,分润（元）,备注";

/** A row in Alipay's format: numbers end in a tab, and commas in the subject are not escaped. */
export const billRow = (
  kind: "交易" | "退款",
  names: { out: string; number: string; yuan: string; refund?: string },
) => {
  const { out, number, yuan, refund = "" } = names;
  const times = ["2026-03-09 11:00:00", "2026-03-09 11:00:09"];
  const first = [`${number}\t`, `${out}\t`, kind, "会员,年度", ...times, "", "", "", "", "买***(a@b.c)", yuan, yuan];
  return [...first, "0.00", "0.00", "0.00", "0.00", "0.00", "", "0.00", "0.00", refund, "-0.01", "0.00", ""].join(",");
};

function zipOf(rows: string): Buffer {
  if (rows.startsWith("<html>")) return Buffer.from(rows);
  const list = `#支付宝业务明细查询\r\n#账号：[20881011179556110156]\r\n#-----业务明细列表-----\r\n${head}\r\n${rows}\r\n#-----业务明细列表结束-----\r\n`;
  const sum = "#支付宝业务汇总查询\r\n门店编号,门店名称,交易订单总笔数\r\n合计,,1\r\n";
  return Buffer.from(
    zipSync({
      "20881011179556110156_20260309_业务明细(汇总).csv": encodeGbk(sum),
      "20881011179556110156_20260309_业务明细.csv": encodeGbk(list),
    }),
  );
}
