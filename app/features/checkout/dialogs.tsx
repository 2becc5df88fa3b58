import { useEffect, useRef, useState } from "react";
import { checkoutCopy } from "~/copy/checkout";
import { type BuyRequest, stopBuying } from "~/dialog-requests";
import { Button } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { Seal } from "~/ui/icons/icon";
import { useStore } from "~/ui/store";
import { payClient } from "./checkout-client";
import {
  type CheckoutController,
  type CheckoutEvents,
  createCheckoutController,
  type Payer,
} from "./checkout-controller";
import type { PaymentNumbers } from "./flow";
import { OrderNumbers } from "./order-numbers";
import { PayDialog } from "./pay-dialog";
import { isWechatBrowser } from "./pay-panel";
import { readSavedCheckout, saveCheckout } from "./saved-checkout";

interface DialogsProps extends CheckoutEvents {
  payer: Payer;
  request: BuyRequest;
  isMobile: boolean;
}

/** The pay dialog, the offer to stay or the thanks. `lazy` requires a default export. */
export default function Dialogs(props: DialogsProps) {
  const { payer, isMobile, notify } = props;
  const controller = useController(props);
  const flow = useStore(controller.store);
  if (flow.view === "success") return <Success onClose={controller.close} paid={flow.paid} />;
  if (flow.view === "retention") return <Retention onLeave={controller.leave} onStay={controller.stay} />;
  if (flow.view === "closed") return null;
  return <PayDialog controller={controller} flow={flow} isMobile={isMobile} payer={payer} notify={notify} />;
}

function useController(props: DialogsProps): CheckoutController {
  const { packageId = null, method, packageType } = props.request;
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  const [controller] = useState(() =>
    createCheckoutController({
      client: payClient,
      isPhone: () => latest.current.isMobile,
      canShowCode: () => document.visibilityState === "visible" && !(latest.current.isMobile && isWechatBrowser()),
      saved: readSavedCheckout(),
      save: saveCheckout,
      notify: (notice) => latest.current.notify(notice),
      onUserChanged: () => latest.current.onUserChanged(),
      onClosed: stopBuying,
    }),
  );
  useEffect(() => {
    controller.open(packageId, method, packageType);
    return controller.stop;
  }, [controller, packageId, method, packageType]);
  useEffect(() => {
    const look = () => document.visibilityState === "visible" && controller.resume();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [controller]);
  return controller;
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

export function Success({ paid, onClose }: { paid: PaymentNumbers | null; onClose(): void }) {
  const { title, text, done } = checkoutCopy.success;
  return (
    <Dialog closeLabel={checkoutCopy.close} description={text} onClose={onClose} title={title}>
      <div className="mt-6 grid justify-items-center gap-6">
        <span className="[rotate:-6deg]">
          <Seal size={72} />
        </span>
        {paid && (
          <div className="w-full">
            <OrderNumbers {...paid} />
          </div>
        )}
        <Button className="w-full" kind="primary" onClick={onClose} size="large">
          {done}
        </Button>
      </div>
    </Dialog>
  );
}
