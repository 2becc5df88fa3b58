import { Suspense, useEffect } from "react";
import { lazyPart } from "~/ui/lazy-part";
import { DialogFailure } from "~/ui/load-failure";
import { askToBuy, stopBuying, useBuyFlag } from "./buy-flag";
import type { CheckoutEvents, Payer } from "./checkout-controller";
import { dropAside, putAside, readKept, takeAside } from "./saved-checkout";

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
  const wish = useBuyFlag();
  const owner = payer?.phone;
  useEffect(() => {
    if (!owner) return;
    const wanted = takeAside() ?? (readKept(owner)?.isOpen ? {} : null);
    if (wanted) askToBuy(wanted);
  }, [owner]);
  useEffect(() => {
    if (!wish || owner) return;
    putAside(wish);
    stopBuying();
    onLoginNeeded(dropAside);
  }, [wish, owner, onLoginNeeded]);
  if (!wish || !payer) return null;
  return (
    <Suspense fallback={null}>
      <Dialogs payer={payer} wish={wish} {...rest} />
    </Suspense>
  );
}
