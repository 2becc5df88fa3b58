import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { type BuyWish, stopBuying } from "./buy-flag";
import { payClient } from "./checkout-client";
import { createDesk, type Desk } from "./checkout-controller";
import { PayDialog } from "./pay-dialog";
import type { CheckoutEvents, Payer } from "./payer";
import { Retention } from "./retention";
import { keep, readKept } from "./saved-checkout";
import { Success } from "./success";
import { isWechatBrowser } from "./wechat-browser";

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
