import { Suspense, useEffect, useState } from "react";
import { useAccount } from "~/features/account/provider";
import { stopBuying, useBuyFlag } from "~/features/checkout/buy-flag";
import { cancelQuestion, useQuestion } from "~/features/confirm/confirm";
import { cancelLogin, useLoginFlag } from "~/features/login/login-flag";
import { lazyPart } from "~/ui/lazy-part";
import { DialogFailure } from "~/ui/load-failure";
import { useRoot } from "./root-data";

interface OverlaysProps {
  /** A dialog is wanted now. */
  isAsked: boolean;
  onLoginExpired(): void;
}

const Overlays = lazyPart<OverlaysProps>(
  () => import("./overlays"),
  ({ isAsked }, failure) => isAsked && <DialogFailure failure={failure} onClose={dropDialogs} />,
);
const Watch = lazyPart(
  () => import("./watch"),
  () => null,
);

function dropDialogs() {
  cancelQuestion();
  cancelLogin();
  stopBuying();
}

/** After the page has come to rest, and never before what is on it. */
const watchAfterMs = 4000;

/** Dialogs and watchers. Their code arrives when something calls for it, so a visitor's page starts without them. */
export function Islands({ onLoginExpired }: { onLoginExpired(): void }) {
  const isLogin = useAccount().account.isLogin;
  const { analytics } = useRoot();
  const isAsked = [useQuestion(), useLoginFlag(), useBuyFlag()].some(Boolean);
  const [needsOverlays, setNeedsOverlays] = useState(false);
  const [isWatching, setWatching] = useState(analytics !== null);
  if ((isAsked || isLogin) && !needsOverlays) setNeedsOverlays(true);
  useEffect(() => {
    const timer = setTimeout(setWatching, watchAfterMs, true);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <Suspense>{needsOverlays && <Overlays isAsked={isAsked} onLoginExpired={onLoginExpired} />}</Suspense>
      {/* Apart: while it loads an open dialog stays, and keeps the focus. */}
      <Suspense>{isWatching && <Watch />}</Suspense>
    </>
  );
}
