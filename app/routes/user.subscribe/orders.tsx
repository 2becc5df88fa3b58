import { useRevalidator } from "@remix-run/react";
import { Suspense, useState } from "react";
import { callApi } from "~/call";
import { checkoutCopy, toProductTitle } from "~/copy/checkout";
import { formatYuan } from "~/copy/format";
import { invoiceCopy, receiptCopy } from "~/copy/invoice";
import { cancelOrder } from "~/features/checkout/checkout-client";
import { OrderNumbers } from "~/features/checkout/order-numbers";
import { notify } from "~/features/toasts/notify";
import { useHasCall } from "~/state/capabilities";
import { askToBuy, askToConfirm } from "~/state/dialog-requests";
import { Button } from "~/ui/button";
import { DialogFailure, lazyPart } from "~/ui/lazy-part";
import type { History, OrderRow } from "~server/bff/checkout.server";
import type { Product } from "~server/contract/calls/payments";
import { formatMinute, HistoryList } from "./history-list";

const InvoiceDialog = lazyPart(
  async () => ({ default: (await import("./invoice-dialog")).InvoiceDialog }),
  ({ onClose }, failure) => <DialogFailure failure={failure} onClose={onClose} />,
);
const ReceiptDialog = lazyPart(
  async () => ({ default: (await import("./receipt-dialog")).ReceiptDialog }),
  ({ onClose }, failure) => <DialogFailure failure={failure} onClose={onClose} />,
);

const copy = checkoutCopy.orders;

interface OrdersProps {
  orders: NonNullable<History<OrderRow>>;
  products: readonly Product[];
}

function titleOf({ pCode, name }: OrderRow, products: readonly Product[]): string {
  const product = products.find((one) => one.pCode === pCode);
  return product ? toProductTitle(checkoutCopy.tabs[product.packageType], name) : name;
}

/** Nothing was paid: the payer looked at a code, or let it expire. */
const isUnpaid = ({ result }: OrderRow) => result === "waiting" || result === "closed";

/** The account's last orders, newest first, the unpaid ones folded. */
export function Orders({ orders, products }: OrdersProps) {
  const list = orders === "failed" ? [] : orders.list;
  const lastInvoice = list.find(({ invoice }) => invoice)?.invoice ?? null;
  return (
    <HistoryList
      copy={copy}
      entries={orders}
      isFolded={isUnpaid}
      name="orders"
      toRow={(order) => <Order key={order.orderId} lastInvoice={lastInvoice} order={order} products={products} />}
    />
  );
}

interface OrderProps {
  order: OrderRow;
  products: readonly Product[];
  lastInvoice: OrderRow["invoice"];
}

function Order({ order, products, lastInvoice }: OrderProps) {
  return (
    <li className="grid grid-cols-[1fr_auto] gap-x-4 px-4 py-3 text-sm md:px-6">
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
      {order.isRefundAsked && <span className="col-span-2 text-xs text-muted">{copy.asked}</span>}
      {order.invoice && <span className="col-span-2 text-xs text-muted">{invoiceStateOf(order.invoice)}</span>}
      <div className="col-span-2 flex flex-wrap items-start gap-x-4">
        {order.result === "success" && !order.isRefundAsked && order.refundingFen === 0 && (
          <>
            <AskInvoice last={lastInvoice} order={order} />
            <AskRefund order={order} />
          </>
        )}
        {order.paidAt && <ShowReceipt order={order} product={titleOf(order, products)} />}
        <OrderNumbers className="min-w-0 open:basis-full" {...order} />
      </div>
    </li>
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

const invoiceStateOf = ({ state, title, number }: NonNullable<OrderRow["invoice"]>) =>
  ({ asked: invoiceCopy.asked(title), issued: invoiceCopy.issued(number), declined: invoiceCopy.declined })[state];

const linkClass = "min-h-[44px] text-xs text-muted underline underline-offset-4";

/** Until the invoice is issued its details can be corrected. */
function AskInvoice({ order, last }: { order: OrderRow; last: OrderRow["invoice"] }) {
  const { revalidate } = useRevalidator();
  const canAsk = useHasCall("invoiceAsk");
  const [isOpen, setOpen] = useState(false);
  const { orderId, invoice } = order;
  if (!canAsk || invoice?.state === "issued") return null;
  return (
    <>
      <button className={linkClass} onClick={() => setOpen(true)} type="button">
        {invoice ? invoiceCopy.change : invoiceCopy.ask}
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <InvoiceDialog last={invoice ?? last} onAsked={revalidate} onClose={() => setOpen(false)} orderId={orderId} />
        </Suspense>
      )}
    </>
  );
}

function ShowReceipt(props: { order: OrderRow; product: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button className={linkClass} onClick={() => setOpen(true)} type="button">
        {receiptCopy.open}
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <ReceiptDialog onClose={() => setOpen(false)} {...props} />
        </Suspense>
      )}
    </>
  );
}

/** Says the rule, then puts the order on the operators' list. */
function AskRefund({ order: { orderId } }: { order: OrderRow }) {
  const { revalidate } = useRevalidator();
  const canAsk = useHasCall("refundAsk");
  const ask = async () => {
    if (!(await askToConfirm(copy.asking))) return;
    await callApi("refundAsk", { orderId }).then(revalidate, () => notify({ kind: "error", text: copy.askFailed }));
  };
  if (!canAsk) return null;
  return (
    <button className={linkClass} onClick={() => void ask()} type="button">
      {copy.askRefund}
    </button>
  );
}

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
        <Button onClick={() => askToBuy({ packageId: product.pCount, method: order.platform })}>{copy.resume}</Button>
      )}
      {canCancel && (
        <Button onClick={() => void cancel()} pending={isCancelling}>
          {copy.cancel}
        </Button>
      )}
    </div>
  );
}
