import { unzipSync } from "fflate";
import type { BillLine } from "../../gateway";
import { unknown } from "../exchange";
import { parseYuan } from "../yuan";

const entryMaxBytes = 256 * 1024 * 1024;
/** Commas are not escaped in it; after it, columns are counted from the end. */
const subjectColumn = "商品名称";

/** The trade bill: a zip of the day's rows and their sum, both CSV in GBK. Throws GatewayError for what cannot be read. */
export function parseBill(file: Buffer): BillLine[] {
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
