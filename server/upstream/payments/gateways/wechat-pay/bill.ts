import type { BillLine } from "../../gateway";
import { unknown } from "../exchange";
import { parseYuan } from "../yuan";

/** Every cell of a row begins with a backtick, so that commas inside are no trouble. */
const cellsOf = (row: string): string[] => row.slice(1).split(",`");

/**
 * The trade bill of a day, bill_type ALL: a head, rows, the head of a sum and the sum. Throws GatewayError for a row that
 * cannot be read: half a bill would look like missing money.
 */
export function parseBill(file: Buffer): BillLine[] {
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
