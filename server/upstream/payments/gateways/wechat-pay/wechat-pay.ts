import { z } from "zod/v4";
import type { WechatPaySettings } from "../../../../settings/payments";
import { toLocalTime } from "../../../calendar";
import { type BillLine, type Gateway, type PaymentRequest, parseYuan, type TradeStatus } from "../../gateway";
import { accepted, type Reply, shaped, unknown, unusedTradeNumber } from "../exchange";
import { createClient, type WechatPayClient } from "./client";
import { bridgeLink, createPayerIdentity, examineSecret } from "./official-account";
import { readNotification, refundShape, refundStates, toStatus, tradeShape } from "./trade";

const nativeShape = z.object({ code_url: z.string().min(1) });
const jsapiShape = z.object({ prepay_id: z.string().min(1) });
const h5Shape = z.object({ h5_url: z.string().url() });
const billShape = z.object({ hash_type: z.literal("SHA1"), hash_value: z.string(), download_url: z.string().url() });
/** Some calls return codes with underscores, others without. */
const isCode = (code: string, ...names: string[]) => names.includes(code.replaceAll("_", ""));
const isNoOrder = (reply: Reply) => !reply.ok && isCode(reply.code, "ORDERNOTEXIST", "RESOURCENOTEXISTS");
const subjectMax = 127;

/** WeChat Pay, APIv3: Native for QR codes, H5 for phones, JSAPI inside WeChat. */
export function createWechatPay(settings: WechatPaySettings, now: () => Date = () => new Date()): Gateway {
  const client = createClient({ settings, now });
  const { merchantId, appId } = settings;
  const order = (outTradeNo: string) => `/v3/pay/transactions/out-trade-no/${encodeURIComponent(outTradeNo)}`;
  const queryOf = (outTradeNo: string) => `${order(outTradeNo)}?mchid=${merchantId}`;

  const query = async (outTradeNo: string, signal?: AbortSignal): Promise<TradeStatus> => {
    const reply = await client.call({ method: "GET", target: queryOf(outTradeNo), signal });
    if (isNoOrder(reply)) return { state: "unpaid" };
    const trade = shaped(tradeShape, accepted(reply));
    if (trade.out_trade_no !== outTradeNo) throw unknown("the answer is of another trade");
    return toStatus(trade);
  };

  return {
    name: "wechat",
    merchantId,
    appId,
    dialect: {
      accepted: { status: 200, contentType: "application/json", body: '{"code":"SUCCESS"}' },
      refused: { status: 401, contentType: "application/json", body: '{"code":"FAIL","message":"refused"}' },
    },
    linkSeconds: { h5: 300 },
    async createPayment(request, signal) {
      const { tradeType } = request;
      const target = `/v3/pay/transactions/${tradeType}`;
      const data = accepted(await client.call({ method: "POST", target, body: orderOf(settings, request), signal }));
      if (tradeType === "native") return { url: shaped(nativeShape, data).code_url };
      if (tradeType === "h5") return { url: shaped(h5Shape, data).h5_url };
      return { url: bridgeLink(settings, { prepayId: shaped(jsapiShape, data).prepay_id, at: now() }) };
    },
    ...(settings.official && { payers: createPayerIdentity(settings, settings.official) }),
    query,
    async close(outTradeNo, signal) {
      const target = `${order(outTradeNo)}/close`;
      const reply = await client.call({ method: "POST", target, body: { mchid: merchantId }, signal });
      if (reply.ok || isCode(reply.code, "ORDERCLOSED", "ORDERNOTEXIST", "RESOURCENOTEXISTS")) return "closed";
      if (isCode(reply.code, "ORDERPAID")) return "paid";
      accepted(reply);
      return "closed";
    },
    async refund({ outTradeNo, transactionId, number, refundFen, totalFen }, signal) {
      const amount = { refund: refundFen, total: totalFen, currency: "CNY" };
      const payment = transactionId ? { transaction_id: transactionId } : { out_trade_no: outTradeNo };
      const body = { ...payment, out_refund_no: number, notify_url: settings.notifyUrl, amount };
      const reply = await client.call({ method: "POST", target: "/v3/refund/domestic/refunds", body, signal });
      return refundStates[shaped(refundShape, accepted(reply)).status];
    },
    async queryRefund({ number }, signal) {
      const target = `/v3/refund/domestic/refunds/${encodeURIComponent(number)}`;
      const reply = await client.call({ method: "GET", target, signal });
      if (!reply.ok && isCode(reply.code, "RESOURCENOTEXISTS", "REFUNDNOTEXISTS")) return "unknown";
      return refundStates[shaped(refundShape, accepted(reply)).status];
    },
    parseNotification: (message) => readNotification({ settings, keyring: client.keyring, now }, message),
    bill: (day, signal) => fetchBill(client, day, signal),
    async examine(signal) {
      const reply = await client.call({ method: "GET", target: queryOf(unusedTradeNumber), signal });
      if (!isNoOrder(reply)) accepted(reply);
      return {
        "merchant, serial and private key": true,
        "the key of its answers": reply.ok || reply.isSigned,
        // Encrypts certificates and notifications; not every account has certificates to prove it.
        "the APIv3 key": await client.keyring.refresh(signal),
        ...(settings.official && { "the official account's secret": await examineSecret(settings, signal) }),
      };
    },
  };
}

function orderOf({ appId, merchantId, notifyUrl }: WechatPaySettings, request: PaymentRequest) {
  const { outTradeNo, subject, amountFen, tradeType, expiresAt, clientAddress, payer } = request;
  return {
    appid: appId,
    mchid: merchantId,
    description: Array.from(subject).slice(0, subjectMax).join(""),
    out_trade_no: outTradeNo,
    time_expire: toLocalTime(expiresAt),
    notify_url: notifyUrl,
    amount: { total: amountFen, currency: "CNY" },
    ...(tradeType === "h5" && { scene_info: { payer_client_ip: clientAddress, h5_info: { type: "Wap" } } }),
    ...(tradeType === "jsapi" && { payer: { openid: payer } }),
  };
}

async function fetchBill(client: WechatPayClient, day: string, signal?: AbortSignal) {
  const target = `/v3/bill/tradebill?bill_date=${day}&bill_type=ALL`;
  const reply = await client.call({ method: "GET", target, signal });
  // A day without payments has no bill.
  if (!reply.ok && isCode(reply.code, "NOSTATEMENTEXIST")) return [];
  const { download_url, hash_value } = shaped(billShape, accepted(reply));
  return parseBill(await client.download(download_url, hash_value, signal));
}

/** Every cell of a row begins with a backtick, so that cells may contain commas. */
const cellsOf = (row: string): string[] => row.slice(1).split(",`");

/**
 * The trade bill of a day, bill_type ALL: header, rows, header of the totals, totals. Throws GatewayError for a malformed
 * row, because an incomplete bill would look like missing payments.
 */
function parseBill(file: Buffer): BillLine[] {
  const [head = "", ...rows] = file
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/);
  const names = head.split(",").map((name) => name.trim().replace(/^`/, ""));
  if (!names.includes("商户订单号") || !names.includes("交易状态")) throw unknown("this is no trade bill");
  const end = rows.findIndex((row) => !row.startsWith("`"));
  return rows.slice(0, end < 0 ? rows.length : end).flatMap((row) => {
    const cells = cellsOf(row);
    if (cells.length !== names.length) throw unknown("a row of the bill is broken");
    return toLine(Object.fromEntries(names.map((name, index) => [name, cells[index]?.trim() ?? ""])));
  });
}

function toLine(row: Record<string, string>): BillLine[] {
  const names = { outTradeNo: row.商户订单号 ?? "", transactionId: row.微信订单号 ?? "" };
  if (row.交易状态 === "SUCCESS") {
    const amountFen = fenOf(row.订单金额 ?? row.总金额 ?? row.应结订单金额);
    return [{ kind: "payment", ...names, amountFen }];
  }
  if (row.交易状态 !== "REFUND" || row.退款状态 === "FAIL") return [];
  const amountFen = fenOf(row.申请退款金额 ?? row.退款金额);
  return [{ kind: "refund", ...names, amountFen, refundNumber: row.商户退款单号 ?? "" }];
}

function fenOf(text = ""): number {
  const fen = parseYuan(text);
  if (fen === null) throw unknown("an amount of the bill is broken");
  return Math.abs(fen);
}
