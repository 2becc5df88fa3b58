import { checkoutCopy } from "~/copy/checkout";
import { Button, buttonClass } from "~/ui/button";
import type { Payment } from "./pay-code";
import type { CheckoutEvents } from "./payer";

const full = "mt-2.5 w-full";

/** On the phone that pays: a link to the method's own page or app. This page stays and asks on. */
export function PayLink(payment: Payment & { tell: CheckoutEvents["tell"] }) {
  const { order, isOver, problem, note, method, price, onRefresh, tell } = payment;
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
      <Button className={full} kind="primary" onClick={onRefresh} size="large">
        {problem ? checkoutCopy.linkMissing : checkoutCopy.linkOver}
      </Button>
    );
  if (!order)
    return (
      <Button className={full} kind="primary" pending size="large">
        {checkoutCopy.linkLoading}
      </Button>
    );
  if (isPayable(order.payUrl))
    return (
      <a
        className={`${buttonClass({ kind: "primary", size: "large" })} ${full}`}
        href={order.payUrl}
        rel="noopener"
        target="_blank"
      >
        {words}
      </a>
    );
  const text = order.payUrl ? checkoutCopy.payFailed : checkoutCopy.noLink;
  return (
    <Button className={full} kind="primary" onClick={() => tell({ kind: "error", text })} size="large">
      {words}
    </Button>
  );
}

/** The web's own addresses, this site's, and the two apps'. */
export const isPayable = (url: string) => /^(https?:\/\/|\/(?!\/)|alipays?:\/\/|weixin:\/\/)/i.test(url);
