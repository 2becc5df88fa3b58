import { useRevalidator } from "@remix-run/react";
import { type ReactNode, useState } from "react";
import { checkoutCopy } from "~/copy/checkout";
import { formatYuan } from "~/copy/format";
import { askToBuy, askToConfirm } from "~/dialog-requests";
import { cancelOrder } from "~/features/checkout/checkout-client";
import { OrderNumbers } from "~/features/checkout/order-numbers";
import { notify } from "~/features/toasts/notify";
import { useHasCall } from "~/offer";
import { Button } from "~/ui/button";
import { Card, Notice } from "~/ui/card";
import type { OrderRow } from "~server/bff/checkout.server";
import type { Product } from "~server/contract/calls/payments";

const copy = checkoutCopy.orders;

interface OrdersProps {
  orders: readonly OrderRow[] | "failed";
  products: readonly Product[];
}

/** The tier and the package: packages of different kinds may share a name. */
function titleOf({ pCode, name }: OrderRow, products: readonly Product[]): string {
  const product = products.find((one) => one.pCode === pCode);
  const kind = product ? checkoutCopy.tabs[product.packageType] : name;
  return name.startsWith(kind) ? name : `${kind} · ${name}`;
}

/** The account's last orders, newest first; `failed` if they could not be read. */
export function Orders({ orders, products }: OrdersProps) {
  return (
    <HistoryList copy={copy} entries={orders} id="orders">
      {(order) => (
        <li className="grid grid-cols-[1fr_auto] gap-x-4 px-4 py-3 text-sm md:px-6" key={order.orderId}>
          <span className="font-semibold">{titleOf(order, products)}</span>
          <span className="tabular text-right" translate="no">
            {formatYuan(order.price)}
          </span>
          <span className="tabular text-xs text-muted">
            {`${formatMinute(order.createdAt)} · ${checkoutCopy.methods[order.platform]}`}
          </span>
          <span className={`text-right text-xs ${order.result === "success" ? "text-celadon" : "text-muted"}`}>
            {copy.states[order.result]}
          </span>
          <Refunds order={order} />
          {order.result === "waiting" && (
            <OpenOrder order={order} product={products.find(({ pCode }) => pCode === order.pCode)} />
          )}
          <details className="col-span-2">
            <summary className="inline-flex min-h-[44px] min-w-[44px] cursor-pointer items-center text-xs text-muted underline underline-offset-4">
              {checkoutCopy.numbers.show}
            </summary>
            <OrderNumbers {...order} />
          </details>
        </li>
      )}
    </HistoryList>
  );
}

/** Completed and pending partial refunds; a full refund is the order's state. */
function Refunds({ order: { result, refundedFen, refundingFen } }: { order: OrderRow }) {
  const lines = [
    refundedFen > 0 && result !== "refunded" && copy.refunded(refundedFen),
    refundingFen > 0 && copy.refunding(refundingFen),
  ];
  return lines.map(
    (line) =>
      line && (
        <span className="tabular col-span-2 text-xs text-muted" key={line}>
          {line}
        </span>
      ),
  );
}

/** Actions of an unpaid order. */
function OpenOrder({ order, product }: { order: OrderRow; product: Product | undefined }) {
  const { revalidate } = useRevalidator();
  const canCancel = useHasCall("orderCancel");
  const [isCancelling, setCancelling] = useState(false);
  const cancel = async () => {
    if (!(await askToConfirm(copy.cancelling))) return;
    setCancelling(true);
    await cancelOrder(order.orderId).then(
      ({ result }) =>
        result === "success"
          ? notify({ kind: "info", text: copy.paidAlready })
          : notify({ kind: "success", text: copy.cancelled }),
      () => notify({ kind: "error", text: copy.cancelFailed }),
    );
    setCancelling(false);
    revalidate();
  };
  return (
    <div className="col-span-2 mt-2 flex flex-wrap gap-2">
      {product && (
        <Button kind="primary" onClick={() => askToBuy({ packageId: product.pCount, method: order.platform })}>
          {copy.resume}
        </Button>
      )}
      {canCancel && (
        <Button onClick={() => void cancel()} pending={isCancelling}>
          {copy.cancel}
        </Button>
      )}
    </div>
  );
}

/** "2026-11-21 09:30" from an RFC 3339 time in Shanghai's zone. */
export const formatMinute = (time: string) => time.slice(0, 16).replace("T", " ");

interface HistoryListProps<Entry> {
  id: string;
  copy: { heading: string; empty: string; failed: string; again: string };
  /** `failed` if they could not be read. */
  entries: readonly Entry[] | "failed";
  children(entry: Entry): ReactNode;
}

/** A list of the account's history, newest first, with its empty and failed states. */
export function HistoryList<Entry>({ id, copy, entries, children }: HistoryListProps<Entry>) {
  const { revalidate, state } = useRevalidator();
  return (
    <section aria-labelledby={id}>
      <h2 className="mb-3 font-song text-xl font-semibold" id={id}>
        {copy.heading}
      </h2>
      {entries === "failed" ? (
        <Notice role="alert" sentence={copy.failed}>
          <Button onClick={revalidate} pending={state === "loading"}>
            {copy.again}
          </Button>
        </Notice>
      ) : entries.length === 0 ? (
        <Notice sentence={copy.empty} />
      ) : (
        <Card>
          <ul className="divide-y divide-line">{entries.map(children)}</ul>
        </Card>
      )}
    </section>
  );
}
