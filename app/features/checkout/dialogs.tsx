import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { type BuyWish, stopBuying } from "./buy-flag";
import { payClient } from "./client";
import { createDesk, type Desk, type Notice } from "./desk";
import { keep, readKept } from "./kept";
import { PayDialog } from "./pay-dialog";
import { Retention } from "./retention";
import { Success } from "./success";

/** Who buys; expiries are Unix seconds. */
export interface Payer {
  phone: string;
  vipExpire: number;
  svipExpire: number;
}

export interface CheckoutEvents {
  tell(notice: Notice): void;
  /** Paid, or closed for real: what is known of the user may be old. */
  onUserChanged(): void;
  onLoginExpired(): void;
}

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
  if (flow.view === "success") return <Success onClose={desk.close} />;
  if (flow.view === "retention") return <Retention onLeave={desk.leave} onStay={desk.stay} />;
  if (flow.view === "closed") return null;
  return <PayDialog desk={desk} flow={flow} isMobile={isMobile} payer={payer} tell={tell} />;
}

function useDesk(props: DialogsProps): Desk {
  const { phone } = props.payer;
  const { pCode = null } = props.wish;
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  const [desk] = useState(() =>
    createDesk({
      client: payClient,
      isPhone: () => latest.current.isMobile,
      kept: readKept(phone),
      keep: (kept) => keep({ ...kept, owner: phone }),
      tell: (notice) => latest.current.tell(notice),
      onUserChanged: () => latest.current.onUserChanged(),
      onClosed: stopBuying,
      onLoginExpired: () => latest.current.onLoginExpired(),
    }),
  );
  useEffect(() => {
    desk.open(pCode);
    return desk.stop;
  }, [desk, pCode]);
  useEffect(() => {
    const look = () => document.visibilityState === "visible" && desk.lookAgain();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [desk]);
  return desk;
}
