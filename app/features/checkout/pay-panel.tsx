import { type ReactNode, useEffect, useId, useState } from "react";
import { checkoutCopy } from "~/copy/checkout";
import { buttonClass } from "~/ui/button";
import { LiveRegion } from "~/ui/feedback";
import type { Product } from "~server/contract/calls/payments";
import { type PayMethod, payMethodsShown } from "~server/contract/checkout";
import type { CheckoutController, CheckoutEvents, Payer } from "./checkout-controller";
import { currentKey, currentNote, currentOrder, type Flow } from "./flow";
import { PayLink, type Payment, ScanCard } from "./pay-code";

interface PayPanelProps {
  flow: Flow;
  /** Inside WeChat: shows the payment there, or what is shown otherwise. */
  showInWechat: ((payment: Payment, otherwise: ReactNode) => ReactNode) | null;
  controller: CheckoutController;
  product: Product;
  isMobile: boolean;
  notify: CheckoutEvents["notify"];
}

/** The pay method, and a code to scan on desktops or a link on phones. */
export function PayPanel({ flow, controller, product, isMobile, notify, showInWechat }: PayPanelProps) {
  const order = currentOrder(flow);
  const secondsLeft = useSecondsLeft(order?.expireAt ?? 0);
  const isOver = flow.watch?.state === "over" || secondsLeft === 0;
  const failure = flow.failed?.key === currentKey(flow) ? flow.failed : null;
  const problem = failure?.text ?? null;
  const note = isOver ? "" : currentNote(flow);
  const payment = {
    order,
    isOver,
    problem,
    action: failure?.action,
    note,
    secondsLeft,
    method: flow.method,
    price: order?.price || product.price,
    onRefresh: controller.refreshOrder,
  };
  const link = <PayLink {...payment} notify={notify} />;
  const hasStopped = flow.watch?.state === "paused";
  return (
    <div className="md:rounded-card md:border md:border-line md:bg-surface md:p-4 md:text-center">
      <Methods isMobile={isMobile} method={flow.method} onChoose={controller.chooseMethod} />
      {!isMobile ? <ScanCard {...payment} /> : showInWechat ? showInWechat(payment, link) : link}
      {order && hasStopped && <p className="mt-1 text-center text-xs text-muted">{checkoutCopy.stopped}</p>}
      {order && (
        <div className="mt-0.5 flex flex-wrap items-center justify-center gap-x-4 text-xs md:mt-1">
          <button
            className={`min-h-[44px] text-seal underline underline-offset-4 ${hasStopped ? "font-semibold" : ""}`}
            onClick={() => void controller.checkPayment()}
            type="button"
          >
            {checkoutCopy.askByHand}
          </button>
          <span className="tabular text-muted md:hidden">{checkoutCopy.used(product.usedChar)}</span>
          {order.cashierPath && !isMobile && !isOver && (
            <a className={buttonClass()} href={order.cashierPath} rel="noopener" target="_blank">
              {checkoutCopy.openCashier}
            </a>
          )}
        </div>
      )}
      <LiveRegion>{problem ?? (note ? checkoutCopy.notes[note] : hasStopped ? checkoutCopy.stopped : "")}</LiveRegion>
    </div>
  );
}

interface MethodsProps {
  method: PayMethod;
  isMobile: boolean;
  onChoose(method: PayMethod): void;
}

/** Phones show Alipay first. */
function Methods({ method, isMobile, onChoose }: MethodsProps) {
  const name = useId();
  return (
    <fieldset className="m-0 min-w-0 border-0 p-0">
      <legend className="sr-only">{checkoutCopy.method}</legend>
      <div className="grid grid-cols-2 rounded-full bg-wash p-1">
        {payMethodsShown(isMobile).map((one) => (
          <label
            className="relative grid min-h-[44px] cursor-pointer place-items-center rounded-full text-sm text-muted has-[:checked]:bg-surface has-[:checked]:text-ink has-[:checked]:[box-shadow:inset_0_0_0_1px_var(--line)] has-[:focus-visible]:outline has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-seal"
            key={one}
          >
            <input
              checked={one === method}
              className="absolute inset-0 cursor-pointer appearance-none rounded-full outline-none"
              name={name}
              onChange={() => onChoose(one)}
              type="radio"
              value={one}
            />
            {checkoutCopy.methods[one]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

const secondsUntil = (expireAt: number) => Math.max(0, Math.floor(expireAt - Date.now() / 1000));

/** Seconds until `expireAt` (Unix seconds), updated every second; null if it is 0. */
export function useSecondsLeft(expireAt: number): number | null {
  const [, setTick] = useState(0);
  useEffect(() => {
    if (expireAt <= 0) return;
    const timer = setInterval(() => setTick((tick) => tick + 1), 1000);
    return () => clearInterval(timer);
  }, [expireAt]);
  return expireAt > 0 ? secondsUntil(expireAt) : null;
}

const daySeconds = 86_400;
const stepSeconds = 30 * daySeconds;

/** When the bought days and characters would run; "" where the upstream tells no length. */
export function runsSentence(product: Product, { vipExpire, svipExpire }: Payer, now: number): string {
  const { packageType, days, packChar } = product;
  if ((packageType === 3 ? packChar : days) === 0) return "";
  if (packageType === 3) return checkoutCopy.runs.pack(now + stepSeconds);
  const start = packageType === 2 ? svipExpire : Math.max(vipExpire, svipExpire);
  if (start > now) return checkoutCopy.runs.later(start);
  const said = checkoutCopy.runs.now(now + Math.min(stepSeconds, days * daySeconds));
  return packageType === 2 && vipExpire > now ? said + checkoutCopy.runs.pushedOut : said;
}

export function Runs({ product, payer, className }: { product: Product; payer: Payer; className: string }) {
  const said = runsSentence(product, payer, Date.now() / 1000);
  const isOnce = product.packageType !== 3 && said !== "";
  return <p className={`tabular text-xs text-muted ${className}`}>{isOnce ? said + checkoutCopy.runs.once : said}</p>;
}
