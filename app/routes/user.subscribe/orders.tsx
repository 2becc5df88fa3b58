import { useRevalidator } from "@remix-run/react";
import { type ReactNode, Suspense, useState } from "react";
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
import { lazyDialog } from "~/ui/lazy-part";
import type { History, OrderRow } from "~server/bff/checkout.server";
import type { Product } from "~server/contract/calls/payments";
import { formatMinute, HistoryList } from "./history-list";

const InvoiceDialog = lazyDialog(async () => ({ default: (await import("./invoice-dialog")).InvoiceDialog }));
const ReceiptDialog = lazyDialog(async () => ({ default: (await import("./receipt-dialog")).ReceiptDialog }));

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
      {order.result === "waiting" && (
        <OpenOrder order={order} product={products.find(({ pCode }) => pCode === order.pCode)} />
      )}
      {statesOf(order).map((state) => (
        <span className="tabular col-span-2 break-words text-xs text-muted" key={state}>
          {state}
        </span>
      ))}
      <div className="col-span-2 flex flex-wrap items-start gap-x-4">
        {order.result === "success" && !order.isRefundAsked && order.refundingFen === 0 && (
          <>
            <AskInvoice last={lastInvoice} order={order} />
            <AskRefund order={order} />
          </>
        )}
        {order.paidAt && (
          <DialogLink
            dialog={(close) => <ReceiptDialog onClose={close} order={order} product={titleOf(order, products)} />}
            label={receiptCopy.open}
          />
        )}
        <OrderNumbers className="min-w-0 open:basis-full" {...order} />
      </div>
    </li>
  );
}

/** How refunds and the invoice stand; a full refund is the order's state. */
const statesOf = ({ result, refundedFen, refundingFen, isRefundAsked, refundDeclined, invoice }: OrderRow) =>
  [
    refundedFen > 0 && result !== "refunded" && copy.refunded(refundedFen),
    refundingFen > 0 && copy.refunding(refundingFen),
    isRefundAsked && copy.asked,
    refundDeclined && copy.declined(refundDeclined),
    invoice && invoiceStateOf(invoice),
  ].filter((state): state is string => Boolean(state));

const invoiceStateOf = ({ state, title, number }: NonNullable<OrderRow["invoice"]>) =>
  ({ asked: invoiceCopy.asked(title), issued: invoiceCopy.issued(number), declined: invoiceCopy.declined })[state];

const linkClass = "min-h-[44px] text-xs text-muted underline underline-offset-4";

/** A button with the dialog that it opens. */
function DialogLink({ label, dialog }: { label: string; dialog(close: () => void): ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button className={linkClass} onClick={() => setOpen(true)} type="button">
        {label}
      </button>
      {isOpen && <Suspense fallback={null}>{dialog(() => setOpen(false))}</Suspense>}
    </>
  );
}

/** Until the invoice is issued its details can be corrected. */
function AskInvoice({ order: { orderId, invoice }, last }: { order: OrderRow; last: OrderRow["invoice"] }) {
  const { revalidate } = useRevalidator();
  if (!useHasCall("invoiceAsk") || invoice?.state === "issued") return null;
  return (
    <DialogLink
      dialog={(close) => (
        <InvoiceDialog last={invoice ?? last} onAsked={revalidate} onClose={close} orderId={orderId} />
      )}
      label={invoice ? invoiceCopy.change : invoiceCopy.ask}
    />
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
