import { unzipSync } from "fflate";
import { z } from "zod/v4";
import type { AlipaySettings } from "../../../../settings/payments";
import { toWallTime } from "../../../calendar";
import {
  type BillLine,
  formatYuan,
  type Gateway,
  type PaymentRequest,
  parseYuan,
  type RefundStatus,
  type TradeStatus,
} from "../../gateway";
import { accepted, type Reply, shaped, unknown, unusedTradeNumber } from "../exchange";
import { type AlipayClient, createClient, signedFields } from "./client";
import { readNotification, toStatus, tradeShape } from "./trade";

const codeShape = z.object({ qr_code: z.string().min(1) });
const refundShape = z.object({ fund_change: z.string().nullish() });
const refundQueryShape = z.object({ refund_status: z.string().nullish() });
const billShape = z.object({ bill_download_url: z.string().url() });
/** Alipay sends codes with and without a prefix. */
const isCode = (code: string, ...names: string[]) => names.includes(code.replace(/^(ACQ|isp)\./, "").toUpperCase());
const isNoTrade = (reply: Reply) => !reply.ok && isCode(reply.code, "TRADE_NOT_EXIST");

/** Alipay: a QR code by precreate or a link to its page on desktops, and a link for browsers on phones. */
export function createAlipay(settings: AlipaySettings, now: () => Date = () => new Date()): Gateway {
  const client = createClient({ settings, now });
  const post = (path: string, body: object, signal?: AbortSignal) =>
    client.call({ method: "POST", target: `/v3/alipay/trade/${path}`, body, signal });

  const query = async (outTradeNo: string, signal?: AbortSignal): Promise<TradeStatus> => {
    const reply = await post("query", { out_trade_no: outTradeNo }, signal);
    // Alipay creates the trade when the QR code is scanned.
    if (isNoTrade(reply)) return { state: "unpaid" };
    const trade = shaped(tradeShape, accepted(reply));
    if (trade.out_trade_no !== outTradeNo) throw unknown("the answer is of another trade");
    return toStatus(trade, settings);
  };

  const queryRefund: Gateway["queryRefund"] = async ({ number, ...payment }, signal) => {
    const body = { ...namesOf(payment), out_request_no: number };
    const reply = await post("fastpay/refund/query", body, signal);
    if (isNoTrade(reply)) return "unknown";
    const { refund_status } = shaped(refundQueryShape, accepted(reply));
    return refund_status === "REFUND_SUCCESS" ? "done" : "unknown";
  };

  return {
    name: "alipay",
    merchantId: settings.sellerId,
    appId: settings.appId,
    dialect: {
      accepted: { status: 200, contentType: "text/plain", body: "success" },
      refused: { status: 401, contentType: "text/plain", body: "fail" },
    },
    async createPayment(request, signal) {
      if (request.tradeType === "h5") return { url: pageOf(settings, request, { of: pages.phone, now: now() }) };
      if (settings.desktop === "page") return { url: pageOf(settings, request, { of: pages.desktop, now: now() }) };
      const body = { ...tradeOf(request), notify_url: settings.notifyUrl };
      return { url: shaped(codeShape, accepted(await post("precreate", body, signal))).qr_code };
    },
    query,
    async close(outTradeNo, signal) {
      const reply = await post("close", { out_trade_no: outTradeNo }, signal);
      if (reply.ok || isNoTrade(reply)) return "closed";
      // Already closed, or paid.
      const { state } = await query(outTradeNo, signal);
      if (state === "unpaid") accepted(reply);
      return state === "paid" ? "paid" : "closed";
    },
    async refund({ number, refundFen, ...payment }, signal): Promise<RefundStatus> {
      const body = { ...namesOf(payment), out_request_no: number, refund_amount: formatYuan(refundFen) };
      const { fund_change } = shaped(refundShape, accepted(await post("refund", body, signal)));
      if (fund_change === "Y") return "done";
      // Repeated, or still in progress.
      const status = await queryRefund({ ...payment, number }, signal);
      return status === "unknown" ? "processing" : status;
    },
    queryRefund,
    parseNotification: (message) => readNotification(client.keyring, message),
    bill: (day, signal) => fetchBill(client, day, signal),
    async examine(signal) {
      const reply = await post("query", { out_trade_no: unusedTradeNumber }, signal);
      if (!isNoTrade(reply)) accepted(reply);
      return { "app and private key": true, "the key of its answers": reply.ok || reply.isSigned };
    },
  };
}

/** Alipay takes its own number before the merchant's. */
const namesOf = ({ outTradeNo, transactionId }: { outTradeNo: string; transactionId?: string | undefined }) =>
  transactionId ? { trade_no: transactionId } : { out_trade_no: outTradeNo };

async function fetchBill(client: AlipayClient, day: string, signal?: AbortSignal) {
  const target = `/v3/alipay/data/dataservice/bill/downloadurl/query?bill_type=trade&bill_date=${day}`;
  const reply = await client.call({ method: "GET", target, signal });
  // A day without payments has no bill.
  if (!reply.ok && isCode(reply.code, "BILL_NOT_EXIST")) return [];
  const { bill_download_url } = shaped(billShape, accepted(reply));
  return parseBill(await client.download(bill_download_url, signal));
}

/** Fields common to page and code payments. */
const tradeOf = ({ outTradeNo, amountFen, subject, expiresAt }: PaymentRequest) => ({
  out_trade_no: outTradeNo,
  total_amount: formatYuan(amountFen),
  subject: subject.replace(/[/=&,]/g, " ").slice(0, 128),
  time_expire: toWallTime(expiresAt),
});

/** 手机网站支付 and 电脑网站支付. */
const pages = {
  phone: { method: "alipay.trade.wap.pay", product: "QUICK_WAP_WAY" },
  desktop: { method: "alipay.trade.page.pay", product: "FAST_INSTANT_TRADE_PAY" },
};

/** A link to Alipay's page. Alipay creates the trade when it is opened. */
function pageOf(
  settings: AlipaySettings,
  request: PaymentRequest,
  { of: { method, product }, now }: { of: (typeof pages)["phone"]; now: Date },
): string {
  const { notifyUrl, returnUrl, endpoint } = settings;
  const content = { ...tradeOf(request), product_code: product };
  const more = { notify_url: notifyUrl, ...(returnUrl && { return_url: returnUrl }) };
  return `${endpoint}/gateway.do?${signedFields(settings, { method, content, more, now })}`;
}

const entryMaxBytes = 256 * 1024 * 1024;
/** Commas in this column are not escaped; later columns are counted from the end. */
const subjectColumn = "商品名称";

/** The trade bill: a zip of the day's rows and their sum, both CSV in GBK. Throws GatewayError for a malformed bill. */
function parseBill(file: Buffer): BillLine[] {
  const lines = unzip(file).map((bytes) => new TextDecoder("gbk").decode(bytes).split(/\r?\n/));
  for (const rows of lines) {
    const at = rows.findIndex((row) => row.startsWith("支付宝交易号,") && row.includes(subjectColumn));
    if (at < 0) continue;
    const names = (rows[at] ?? "").split(",").map((name) => name.trim());
    const body = rows.slice(at + 1).filter((row) => row !== "" && !row.startsWith("#"));
    return body.flatMap((row) => toLine(readRow(names, row)));
  }
  throw unknown("there is no bill in the file");
}

function unzip(file: Buffer): Uint8Array[] {
  try {
    return Object.values(unzipSync(file, { filter: ({ originalSize }) => originalSize <= entryMaxBytes }));
  } catch (cause) {
    throw unknown("the bill is no zip file", cause);
  }
}

function readRow(names: string[], row: string): Map<string, string> {
  const cells = row.split(",").map((cell) => cell.trim());
  const extra = cells.length - names.length;
  if (extra < 0) throw unknown("a row of the bill is broken");
  const subjectAt = names.indexOf(subjectColumn);
  return new Map(names.map((name, index) => [name, cells[index > subjectAt ? index + extra : index] ?? ""]));
}

function toLine(row: Map<string, string>): BillLine[] {
  const names = { outTradeNo: row.get("商户订单号") ?? "", transactionId: row.get("支付宝交易号") ?? "" };
  const fen = parseYuan(row.get("订单金额（元）") ?? "");
  if (fen === null) throw unknown("an amount of the bill is broken");
  const amountFen = Math.abs(fen);
  const kind = row.get("业务类型");
  if (kind === "交易") return [{ kind: "payment", ...names, amountFen }];
  if (kind !== "退款") return [];
  return [{ kind: "refund", ...names, amountFen, refundNumber: row.get("退款批次号/请求号") ?? "" }];
}
