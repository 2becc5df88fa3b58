import { checkoutCopy } from "~/copy/checkout";
import { formatYuan } from "~/copy/format";
import type { OrderRow } from "~server/bff/checkout.server";
import type { Product } from "~server/contract/calls/pay";
import { minuteOf } from "./minute";
import { Past } from "./past";

const copy = checkoutCopy.orders;

interface OrdersProps {
  orders: readonly OrderRow[] | "failed";
  products: readonly Product[];
}

/** "专业会员 · 年度": packages of different kinds may share a name. */
function titleOf({ pCode, name }: OrderRow, products: readonly Product[]): string {
  const product = products.find((one) => one.pCode === pCode);
  const kind = product ? checkoutCopy.tabs[product.packageType] : name;
  return name.startsWith(kind) ? name : `${kind} · ${name}`;
}

/** The account's last orders, newest first; `failed` when they could not be read. */
export function Orders({ orders, products }: OrdersProps) {
  return (
    <Past copy={copy} entries={orders} id="orders">
      {(order) => (
        <li className="grid grid-cols-[1fr_auto] gap-x-4 px-4 py-3 text-sm md:px-6" key={order.orderId}>
          <span className="font-semibold">{titleOf(order, products)}</span>
          <span className="tabular text-right">{formatYuan(order.price)}</span>
          <span className="tabular text-xs text-muted">
            {`${minuteOf(order.createdAt)} · ${checkoutCopy.methods[order.platform]}`}
          </span>
          <span className={`text-right text-xs ${order.result === "success" ? "text-celadon" : "text-muted"}`}>
            {copy.states[order.result]}
          </span>
        </li>
      )}
    </Past>
  );
}
