import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { checkoutCopy } from "~/copy/checkout";
import { Button } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { Seal } from "~/ui/seal";
import { type BuyWish, stopBuying } from "./buy-flag";
import { payClient } from "./checkout-client";
import { type CheckoutEvents, createDesk, type Desk, type Payer } from "./checkout-controller";
import type { PaidNumbers } from "./flow";
import { OrderNumbers } from "./order-numbers";
import { PayDialog } from "./pay-dialog";
import { isWechatBrowser } from "./pay-panel";
import { keep, readKept } from "./saved-checkout";

interface DialogsProps extends CheckoutEvents {
  payer: Payer;
  wish: BuyWish;
  isMobile: boolean;
}

/** The pay dialog, the question whether to stay, and the thanks: one at a time. `lazy` wants a default export. */
export default function Dialogs(props: DialogsProps) {
  const { payer, isMobile, tell } = props;
  const desk = useDesk(props);
  const flow = useSyncExternalStore(desk.subscribe, desk.now, desk.now);
  if (flow.view === "success") return <Success onClose={desk.close} paid={flow.paid} />;
  if (flow.view === "retention") return <Retention onLeave={desk.leave} onStay={desk.stay} />;
  if (flow.view === "closed") return null;
  return <PayDialog desk={desk} flow={flow} isMobile={isMobile} payer={payer} tell={tell} />;
}

function useDesk(props: DialogsProps): Desk {
  const { phone } = props.payer;
  const { packageId = null, method } = props.wish;
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  const [desk] = useState(() =>
    createDesk({
      client: payClient,
      isPhone: () => latest.current.isMobile,
      canShowCode: () => document.visibilityState === "visible" && !(latest.current.isMobile && isWechatBrowser()),
      kept: readKept(phone),
      keep: (kept) => keep({ ...kept, owner: phone }),
      tell: (notice) => latest.current.tell(notice),
      onUserChanged: () => latest.current.onUserChanged(),
      onClosed: stopBuying,
      onLoginExpired: () => latest.current.onLoginExpired(),
    }),
  );
  useEffect(() => {
    desk.open(packageId, method);
    return desk.stop;
  }, [desk, packageId, method]);
  useEffect(() => {
    const look = () => document.visibilityState === "visible" && desk.lookAgain();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [desk]);
  return desk;
}

/** Asked once, when the pay dialog is closed for the first time. */
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

export function Success({ paid, onClose }: { paid: PaidNumbers | null; onClose(): void }) {
  const { title, text, done } = checkoutCopy.success;
  return (
    <Dialog closeLabel={checkoutCopy.close} description={text} onClose={onClose} title={title}>
      <div className="mt-6 grid justify-items-center gap-6">
        <span className="-rotate-6">
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
