import { type ReactNode, useEffect, useRef, useState } from "react";
import { checkoutCopy, toProductTitle } from "~/copy/checkout";
import { formatDay } from "~/copy/format";
import { type BuyRequest, resumeAction, stopBuying } from "~/state/dialog-requests";
import { Button } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { Seal } from "~/ui/icons/icon";
import { useStore } from "~/ui/store";
import type { Product } from "~server/contract/calls/payments";
import type { WechatState } from "~server/contract/checkout";
import { type PayMethod, type PayOrder, wechatMethod } from "~server/contract/checkout";
import { payClient } from "./checkout-client";
import {
  type CheckoutController,
  type CheckoutEvents,
  createCheckoutController,
  type Payer,
} from "./checkout-controller";
import { chosenProduct, currentOrder, type PaymentNumbers } from "./flow";
import { OrderNumbers } from "./order-numbers";
import { PayDialog } from "./pay-dialog";
import { readSavedCheckout, saveCheckout } from "./saved-checkout";
import { isWechatBrowser, useWechatState } from "./wechat";

interface DialogsProps extends CheckoutEvents {
  payer: Payer;
  request: BuyRequest;
  isMobile: boolean;
}

/** The pay dialog, the offer to stay or the thanks. `lazy` requires a default export. */
export default function Dialogs(props: DialogsProps) {
  const { payer, isMobile, notify, request } = props;
  const [payerBefore] = useState(() => ({ ...payer, ...savedBefore() }));
  const wechatState = useWechatState(isMobile && isWechatBrowser(navigator.userAgent));
  const controller = useController({ ...props, wechatState }, payerBefore);
  const flow = useStore(controller.store);
  if (flow.view === "success") {
    const product = chosenProduct(flow);
    const { resumes } = request;
    return (
      <Success goOn={resumes && (() => resumeAction(resumes))} onClose={controller.close} paid={flow.paid}>
        {product && <Purchase payer={payer} payerBefore={payerBefore} product={product} />}
      </Success>
    );
  }
  if (flow.view === "retention") return <Retention onLeave={controller.leave} onStay={controller.stay} />;
  if (flow.view === "closed") return null;
  return <PayDialog {...{ controller, flow, isMobile, payer, notify, wechatState }} />;
}

/** The expiries that a checkout had before a reload. */
function savedBefore() {
  const saved = readSavedCheckout();
  return saved?.isOpen || saved?.paid ? saved.before : undefined;
}

function useController(
  props: DialogsProps & { wechatState: WechatState | null },
  { vipExpire, svipExpire }: Payer,
): CheckoutController {
  const { packageId = null, method, packageType } = props.request;
  const before = { vipExpire, svipExpire };
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  const [controller] = useState(() =>
    createCheckoutController({
      client: payClient,
      isPhone: () => latest.current.isMobile,
      isInWechat: () => latest.current.wechatState === "ready",
      canShowCode: (method) => document.visibilityState === "visible" && hasWay(latest.current, method),
      saved: readSavedCheckout(),
      save: (saved) => saveCheckout({ ...saved, before, resumes: latest.current.request.resumes }),
      notify: (notice) => latest.current.notify(notice),
      onUserChanged: () => latest.current.onUserChanged(),
      onClosed: stopBuying,
    }),
  );
  useEffect(() => {
    controller.open(packageId, method, packageType);
    return controller.stop;
  }, [controller, packageId, method, packageType]);
  const { wechatState } = props;
  useEffect(() => {
    if (wechatState === null) return;
    if (wechatState === "off" || props.request.method) controller.resume();
    else controller.chooseMethod(wechatMethod);
    const flow = controller.store.get();
    // An order made before the payer was identified is for a browser.
    if (wechatState === "ready" && flow.method === wechatMethod && isForBrowsers(currentOrder(flow)))
      controller.refreshOrder();
  }, [controller, wechatState, props.request.method]);
  useEffect(() => {
    const look = () => document.visibilityState === "visible" && controller.resume();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [controller]);
  return controller;
}

const isForBrowsers = (order: PayOrder | null) => order !== null && !order.bridge;

/** Inside WeChat an order waits until it is known how it can be paid there. */
function hasWay({ isMobile, wechatState }: { isMobile: boolean; wechatState: WechatState | null }, method: PayMethod) {
  if (!isMobile || !isWechatBrowser(navigator.userAgent)) return true;
  return wechatState !== null && !(wechatState === "ask" && method === wechatMethod);
}

/** Shown once, when the pay dialog is closed for the first time. */
export function Retention({ onStay, onLeave }: { onStay(): void; onLeave(): void }) {
  const { title, text, stay, leave } = checkoutCopy.retention;
  return (
    <Dialog closeLabel={checkoutCopy.close} description={text} isAlert onClose={onLeave} title={title}>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button className="flex-1 md:flex-none" onClick={onLeave}>
          {leave}
        </Button>
        <Button className="flex-1 md:flex-none" kind="primary" onClick={onStay}>
          {stay}
        </Button>
      </div>
    </Dialog>
  );
}

const successCopy = checkoutCopy.success;

interface SuccessProps {
  paid: PaymentNumbers | null;
  /** The purchase. */
  children: ReactNode;
  /** Continues what the payment interrupted, if there is something. */
  goOn?: (() => void) | undefined;
  onClose(): void;
}

export function Success({ paid, children, goOn, onClose }: SuccessProps) {
  const leave = () => {
    onClose();
    goOn?.();
  };
  return (
    <Dialog closeLabel={checkoutCopy.close} description={successCopy.text} onClose={onClose} title={successCopy.title}>
      <div className="mt-6 grid justify-items-center gap-5">
        <span className="[rotate:-6deg]">
          <Seal size={72} />
        </span>
        {children}
        <Button className="w-full" kind="primary" onClick={leave} size="large">
          {goOn ? successCopy.goOn : successCopy.done}
        </Button>
        {paid && <OrderNumbers className="w-full" {...paid} />}
      </div>
    </Dialog>
  );
}

interface PurchaseProps {
  product: Product;
  payer: Payer;
  /** The payer when the dialog opened. */
  payerBefore: Payer;
}

/** The package that was paid, the membership's new end as soon as the account's state is read again, and the characters. */
export function Purchase({ product, payer, payerBefore }: PurchaseProps) {
  const { packageType, tagMark, monthChar, packChar } = product;
  const expiry = packageType === 3 ? null : packageType === 2 ? "svipExpire" : "vipExpire";
  const until = expiry && payer[expiry] !== payerBefore[expiry] ? payer[expiry] : 0;
  const rows = [
    [successCopy.bought, toProductTitle(checkoutCopy.tabs[packageType], tagMark)],
    [successCopy.until, until > 0 && formatDay(until)],
    [successCopy.characters, monthChar > 0 && successCopy.perMonth(monthChar)],
    [successCopy.characters, packChar > 0 && successCopy.pack(packChar)],
  ] as const;
  return (
    <dl aria-live="polite" className="grid w-full gap-2 rounded border border-line p-4 text-sm">
      {rows.map(
        ([name, value]) =>
          value && (
            <div className="flex justify-between gap-4" key={name}>
              <dt className="text-muted">{name}</dt>
              <dd className="tabular text-right">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
