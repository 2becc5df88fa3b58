import { z } from "zod/v4";
import type { Gateway, RefundStatus, TradeStatus } from "../../gateway";
import { accepted, nobodysNumber, type Reply, shaped, unknown } from "../exchange";
import { formatYuan } from "../yuan";
import { parseBill } from "./bill";
import { type AlipayClient, createClient } from "./client";
import { readNotification } from "./notification";
import { pageOf, tradeOf } from "./page";
import type { AlipaySettings } from "./settings";
import { toStatus, tradeShape } from "./trade";

const codeShape = z.object({ qr_code: z.string().min(1) });
const refundShape = z.object({ fund_change: z.string().nullish() });
const refundQueryShape = z.object({ refund_status: z.string().nullish() });
const billShape = z.object({ bill_download_url: z.string().url() });
/** With and without the name of the department that says it. */
const isCode = (code: string, ...names: string[]) => names.includes(code.replace(/^(ACQ|isp)\./, "").toUpperCase());
const isNoTrade = (reply: Reply) => !reply.ok && isCode(reply.code, "TRADE_NOT_EXIST");

/** Alipay: a QR code by precreate, and a link for browsers on phones. */
export function createAlipay(settings: AlipaySettings, now: () => Date = () => new Date()): Gateway {
  const client = createClient({ settings, now });
  const post = (path: string, body: object, signal?: AbortSignal) =>
    client.call({ method: "POST", target: `/v3/alipay/trade/${path}`, body, signal });

  const query = async (outTradeNo: string, signal?: AbortSignal): Promise<TradeStatus> => {
    const reply = await post("query", { out_trade_no: outTradeNo }, signal);
    // What nobody has scanned yet does not exist there.
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
      if (request.tradeType === "h5") return { url: pageOf(settings, request, now()) };
      const body = { ...tradeOf(request), notify_url: settings.notifyUrl };
      return { url: shaped(codeShape, accepted(await post("precreate", body, signal))).qr_code };
    },
    query,
    async close(outTradeNo, signal) {
      const reply = await post("close", { out_trade_no: outTradeNo }, signal);
      if (reply.ok || isNoTrade(reply)) return "closed";
      // Closed before, or paid: the trade itself tells.
      const { state } = await query(outTradeNo, signal);
      if (state === "unpaid") accepted(reply);
      return state === "paid" ? "paid" : "closed";
    },
    async refund({ number, refundFen, ...payment }, signal): Promise<RefundStatus> {
      const body = { ...namesOf(payment), out_request_no: number, refund_amount: formatYuan(refundFen) };
      const { fund_change } = shaped(refundShape, accepted(await post("refund", body, signal)));
      if (fund_change === "Y") return "done";
      // Asked again, or still on its way.
      const status = await queryRefund({ ...payment, number }, signal);
      return status === "unknown" ? "processing" : status;
    },
    queryRefund,
    parseNotification: (message) => readNotification(client.keyring, message),
    bill: (day, signal) => fetchBill(client, day, signal),
    async examine(signal) {
      const reply = await post("query", { out_trade_no: nobodysNumber }, signal);
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
  // A day on which nothing moved has no bill.
  if (!reply.ok && isCode(reply.code, "BILL_NOT_EXIST")) return [];
  const { bill_download_url } = shaped(billShape, accepted(reply));
  return parseBill(await client.download(bill_download_url, signal));
}
