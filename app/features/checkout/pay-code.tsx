import { checkoutCopy } from "~/copy/checkout";
import { formatYuan } from "~/copy/format";
import { Button, buttonClass } from "~/ui/button";
import { Skeleton } from "~/ui/feedback";
import { QrPicture } from "~/ui/qr-picture";
import type { PayMethod, PayOrder, PayStatus } from "~server/contract/checkout";
import type { CheckoutEvents } from "./checkout-controller";
import { saveDeparture } from "./saved-checkout";

export interface Payment {
  order: PayOrder | null;
  /** It can no longer be paid. */
  isOver: boolean;
  /** Reason why there is no order. */
  problem: string | null;
  /** Words of the button that goes on after a problem. */
  action?: string | undefined;
  /** Reason why the code is not shown; see `currentNote`. */
  note: PayStatus["note"];
  secondsLeft: number | null;
  method: PayMethod;
  /** Fen. */
  price: number;
  onRefresh(): void;
}

/** The code to scan or a button to the gateway's page, the price and the time left. */
export function ScanCard(payment: Payment) {
  const { order, isOver, note, secondsLeft, method, price } = payment;
  const isLive = order !== null && !isOver && note === "";
  return (
    <>
      <div className="mx-auto mt-3 grid h-[160px] w-full max-w-[240px] place-items-center">
        <Code {...payment} />
      </div>
      <Price className="mt-2 block text-2xl" fen={price} />
      <p className="tabular mt-0.5 min-h-[1.25rem] text-xs text-muted">
        {isLive && <span>{order.qr ? checkoutCopy.scan(method) : isPage(order) && checkoutCopy.opensTab}</span>}
        {isLive && secondsLeft !== null && <span>{` · ${checkoutCopy.expires(secondsLeft)}`}</span>}
      </p>
    </>
  );
}

function Code({ order, isOver, problem, action, note, method, onRefresh }: Payment) {
  if (note)
    return (
      <div className="grid h-full w-full content-center justify-items-center gap-2 rounded border border-dashed border-edge p-2">
        <p className="text-left text-xs">{checkoutCopy.notes[note]}</p>
        {note === "suspended" && <Button onClick={onRefresh}>{checkoutCopy.refresh}</Button>}
      </div>
    );
  if (order?.qr && !isOver) return <QrPicture className="h-[160px] w-[160px]" label={checkoutCopy.qr} qr={order.qr} />;
  if (order && isPage(order) && !isOver) return <PayOpener order={order}>{checkoutCopy.goPay(method)}</PayOpener>;
  if (!order && !problem)
    return (
      <div className="h-[160px] w-[160px]" role="status">
        <span className="sr-only">{checkoutCopy.qrLoading}</span>
        <Skeleton className="h-full w-full" />
      </div>
    );
  return (
    <div className="grid h-[160px] w-[160px] content-center justify-items-center gap-3 rounded border border-dashed border-edge p-3">
      <p className="text-xs">{problem ?? (isOver ? checkoutCopy.qrOver : checkoutCopy.noLink)}</p>
      <Button onClick={onRefresh}>{action ?? (isOver && !problem ? checkoutCopy.refresh : checkoutCopy.retry)}</Button>
    </div>
  );
}

const full = "mt-2.5 w-full";

/** On phones: a link to the pay method's page or app, in a new tab. */
export function PayLink(payment: Payment & { notify: CheckoutEvents["notify"] }) {
  const { order, isOver, problem, action, note, method, price, onRefresh, notify } = payment;
  const words = checkoutCopy.goPay(method, price);
  if (note)
    return (
      <>
        <p className="mt-2.5 text-sm">{checkoutCopy.notes[note]}</p>
        {note === "suspended" && (
          <Button className={full} kind="primary" onClick={onRefresh} size="large">
            {checkoutCopy.linkMissing}
          </Button>
        )}
      </>
    );
  if (problem || isOver)
    return (
      <>
        {action && <p className="mt-2.5 text-sm">{problem}</p>}
        <Button className={full} kind="primary" onClick={onRefresh} size="large">
          {action ?? (problem ? checkoutCopy.linkMissing : checkoutCopy.linkOver)}
        </Button>
      </>
    );
  if (!order)
    return (
      <Button className={full} kind="primary" pending size="large">
        {checkoutCopy.linkLoading}
      </Button>
    );
  if (isPage(order) || isApp(order))
    return (
      <PayOpener className={full} order={order}>
        {words}
      </PayOpener>
    );
  const tryAgain = () => {
    notify({ kind: "error", text: order.payUrl ? checkoutCopy.payFailed : checkoutCopy.noLink });
    onRefresh();
  };
  return (
    <Button className={full} kind="primary" onClick={tryAgain} size="large">
      {words}
    </Button>
  );
}

/** The payment opens in any browser: by a form, a web address or a path of this site. */
const isPage = ({ form, payUrl }: PayOrder) => Boolean(form) || /^(https?:\/\/|\/(?!\/))/i.test(payUrl);
/** The payment opens in one of the two apps, on a phone that has it. */
const isApp = ({ payUrl }: PayOrder) => /^(alipays?|weixin):\/\//i.test(payUrl);

interface PayOpenerProps {
  order: PayOrder;
  className?: string;
  children: string;
}

/** Opens the payment in a new tab. The press itself opens it: browsers block tabs that scripts open later. */
function PayOpener({ order: { form, payUrl }, className = "", children }: PayOpenerProps) {
  const look = `${buttonClass({ kind: "primary", size: "large" })} ${className}`;
  if (!form)
    return (
      <a className={look} href={payUrl} onClick={saveDeparture} rel="noopener" target="_blank">
        {children}
      </a>
    );
  return (
    <form
      action={form.action}
      className="contents"
      method="post"
      onSubmit={saveDeparture}
      rel="noopener"
      target="_blank"
    >
      {form.fields.map(({ name, value }) => (
        <input key={name} name={name} type="hidden" value={value} />
      ))}
      <button className={look} type="submit">
        {children}
      </button>
    </form>
  );
}

/** Yuan with two decimals, the sign smaller than the number. */
export function Price({ fen, className = "" }: { fen: number; className?: string }) {
  const written = formatYuan(fen);
  return (
    <span className={`tabular font-song font-semibold ${className}`} translate="no">
      <span className="text-[0.55em]">{written.slice(0, 1)}</span>
      {written.slice(1)}
    </span>
  );
}
