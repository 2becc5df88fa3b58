import { Suspense, useEffect } from "react";
import { lazyPart } from "~/ui/lazy-part";
import { DialogFailure } from "~/ui/load-failure";
import { askToBuy, stopBuying, useBuyFlag } from "./buy-flag";
import type { CheckoutEvents, Payer } from "./checkout-controller";
import { dropBuyRequest, readSavedCheckout, saveBuyRequest, takeBuyRequest } from "./saved-checkout";

const Dialogs = lazyPart(
  () => import("./dialogs"),
  (_props, failure) => <DialogFailure failure={failure} onClose={stopBuying} />,
);

interface CheckoutProps extends CheckoutEvents {
  /** Null while nobody is logged in. */
  payer: Payer | null;
  isMobile: boolean;
  /** Somebody wants to buy who has no account; `onCancel` is for when they would rather not log in. */
  onLoginNeeded(onCancel: () => void): void;
}

/**
 * Stands in the root; costs nothing until somebody buys. A payment that a reload cut off goes on, and so does the wish
 * of a visitor who had to log in first.
 */
export function Checkout({ payer, onLoginNeeded, ...rest }: CheckoutProps) {
  const request = useBuyFlag();
  const owner = payer?.phone;
  useEffect(() => {
    if (!owner) return;
    const wanted = takeBuyRequest() ?? (readSavedCheckout(owner)?.isOpen ? {} : null);
    if (wanted) askToBuy(wanted);
  }, [owner]);
  useEffect(() => {
    if (!request || owner) return;
    saveBuyRequest(request);
    stopBuying();
    onLoginNeeded(dropBuyRequest);
  }, [request, owner, onLoginNeeded]);
  if (!request || !payer) return null;
  return (
    <Suspense fallback={null}>
      <Dialogs payer={payer} request={request} {...rest} />
    </Suspense>
  );
}
