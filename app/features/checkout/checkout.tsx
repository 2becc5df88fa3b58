import { useNavigate } from "@remix-run/react";
import { Suspense, useEffect } from "react";
import { askToBuy, stopBuying, useBuyRequest } from "~/state/dialog-requests";
import { lazyDialog } from "~/ui/lazy-part";
import type { CheckoutEvents, Payer } from "./checkout-controller";
import { dropBuyRequest, readSavedCheckout, saveBuyRequest, takeBuyRequest, takeReturn } from "./saved-checkout";

const Dialogs = lazyDialog(() => import("./dialogs"), stopBuying);

interface CheckoutProps extends CheckoutEvents {
  /** Null for visitors. */
  payer: Payer | null;
  isMobile: boolean;
  /** A visitor wants to buy; `onCancel` runs if the login is cancelled. */
  onLoginNeeded(onCancel: () => void): void;
}

/** Opens the pay dialog, whose code loads on demand. Continues a checkout after a reload and a request to buy after a login. */
export function Checkout({ payer, onLoginNeeded, ...rest }: CheckoutProps) {
  const request = useBuyRequest();
  const canPay = payer !== null;
  const navigate = useNavigate();
  useEffect(() => {
    if (!canPay) return;
    const returnsTo = takeReturn();
    if (returnsTo) navigate(returnsTo, { replace: true });
    const saved = readSavedCheckout();
    const wanted = takeBuyRequest() ?? (saved?.isOpen || saved?.paid ? { resumes: saved.resumes } : null);
    if (wanted) askToBuy(wanted);
  }, [canPay, navigate]);
  useEffect(() => {
    if (!request || canPay) return;
    saveBuyRequest(request);
    stopBuying();
    onLoginNeeded(dropBuyRequest);
  }, [request, canPay, onLoginNeeded]);
  if (!request || !payer) return null;
  return (
    <Suspense fallback={null}>
      <Dialogs payer={payer} request={request} {...rest} />
    </Suspense>
  );
}
