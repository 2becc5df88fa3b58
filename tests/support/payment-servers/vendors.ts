import { type BillLine, formatYuan, type Gateway } from "~server/upstream/payments/gateway";
import { createAlipay } from "~server/upstream/payments/gateways/alipay/alipay";
import { createWechatPay } from "~server/upstream/payments/gateways/wechat-pay/wechat-pay";
import { billRow, openAlipay } from "./alipay";
import type { PaymentServer } from "./listen";
import { openWechatPay } from "./wechat-pay";

export interface Message {
  headers: Record<string, string>;
  body: string;
}

/** Possible faults of a payment. */
export type PaymentFault = { amountFen: number } | { currency: string } | { merchantId: string } | { appId: string };

/** A vendor's server with our adapter and the behaviour that both vendors share. */
export interface Vendor {
  gateway: Gateway;
  server: PaymentServer;
  pay(outTradeNo: string, wrong?: PaymentFault): Message;
  transactionOf(outTradeNo: string): string;
  refundsOf(outTradeNo: string): string[];
  setBill(lines: BillLine[]): void;
  /** The answer it expects. */
  thanks: string;
}

export const vendors: Record<"wechat" | "alipay", () => Promise<Vendor>> = {
  async wechat() {
    const server = await openWechatPay();
    return {
      server,
      gateway: createWechatPay(server.settings),
      thanks: '{"code":"SUCCESS"}',
      pay(out, wrong) {
        const total = server.trades.get(out)?.total ?? 0;
        if (!wrong) return server.pay(out);
        if ("amountFen" in wrong) return server.pay(out, { amount: { total: wrong.amountFen, currency: "CNY" } });
        if ("currency" in wrong) return server.pay(out, { amount: { total, currency: wrong.currency } });
        return server.pay(out, "appId" in wrong ? { appid: wrong.appId } : { mchid: wrong.merchantId });
      },
      transactionOf: (out) => server.trades.get(out)?.transaction ?? "",
      refundsOf: (out) => [...server.refunds.values()].filter((one) => one.out === out).map(({ fen }) => String(fen)),
      setBill(lines) {
        const head = "交易时间,微信订单号,商户订单号,交易状态,商户退款单号,退款金额,退款状态,订单金额,申请退款金额";
        const rows = lines.map(({ kind, outTradeNo, transactionId, amountFen, refundNumber = "" }) => {
          const isRefund = kind === "refund";
          const state = isRefund ? ["REFUND", refundNumber, "0.00", "SUCCESS"] : ["SUCCESS", "", "0.00", ""];
          const yuan = formatYuan(amountFen);
          const cells = ["2026-03-09", transactionId, outTradeNo, ...state, yuan, isRefund ? yuan : "0.00"];
          return cells.map((cell) => `\`${cell}`).join(",");
        });
        server.bill = [head, ...rows, "总交易单数,订单总金额", "`1,`1.00"].join("\r\n");
      },
    };
  },
  async alipay() {
    const server = await openAlipay();
    const message = (body: string) => ({ headers: { "content-type": "application/x-www-form-urlencoded" }, body });
    return {
      server,
      gateway: createAlipay(server.settings),
      thanks: "success",
      pay(out, wrong) {
        if (!wrong) return message(server.pay(out));
        if ("amountFen" in wrong) return message(server.pay(out, { total_amount: formatYuan(wrong.amountFen) }));
        if ("currency" in wrong) return message(server.pay(out, { trans_currency: wrong.currency }));
        return message(server.pay(out, "appId" in wrong ? { app_id: wrong.appId } : { seller_id: wrong.merchantId }));
      },
      transactionOf: (out) => server.trades.get(out)?.number ?? "",
      refundsOf: (out) =>
        [...server.refunds.values()].filter((one) => one.out === out).map(({ yuan }) => yuan.replace(".", "")),
      setBill(lines) {
        const rows = lines.map(({ kind, outTradeNo: out, transactionId: number, amountFen, refundNumber = "" }) =>
          kind === "refund"
            ? billRow("退款", { out, number, yuan: `-${formatYuan(amountFen)}`, refund: refundNumber })
            : billRow("交易", { out, number, yuan: formatYuan(amountFen) }),
        );
        server.bill = rows.join("\r\n");
      },
    };
  },
};
