import { useRevalidator } from "@remix-run/react";
import { memo, Suspense, useCallback, useEffect, useRef, useState } from "react";
import { closeRemoval, useRemoval } from "~/features/account/account-actions";
import { type Account, useAccount } from "~/features/account/provider";
import { Checkout } from "~/features/checkout/checkout";
import { claimStoredValues, forgetSavedWork } from "~/features/draft/draft";
import { SharePanel } from "~/features/share/share-button";
import { useTheme } from "~/features/theme/theme";
import { notify } from "~/features/toasts/notify";
import { useHasCall } from "~/state/capabilities";
import {
  askToLogIn,
  cancelLogin,
  cancelQuestion,
  closeFilm,
  closeMark,
  type LoginReason,
  stopBuying,
  useBuyRequest,
  useFilmSource,
  useIsMarkOpen,
  useLoginReason,
  useQuestion,
} from "~/state/dialog-requests";
import { lazyDialog, lazyPart } from "~/ui/lazy-part";
import { useRoot } from "./root-data";

const LoginDialog = lazyDialog(() => import("~/features/login/login-dialog"), cancelLogin);
const ConfirmDialog = lazyDialog(() => import("~/features/confirm/confirm-dialog"), cancelQuestion);
const FilmDialog = lazyDialog(() => import("~/features/film/film-dialog"), closeFilm);
const ServiceButton = lazyPart(
  () => import("~/features/service-button/service-button"),
  () => null,
);
const ContactPanel = lazyDialog(() => import("~/features/service-button/contact-panel"));
const RemovalDialog = lazyDialog(() => import("~/features/account/removal-dialog"), closeRemoval);

const MarkDialog = lazyDialog(() => import("~/features/account/mark-dialog"), closeMark);

const tellError = (text: string) => notify({ kind: "error", text });
const logInToBuy = (onCancel: () => void) => askToLogIn("to-buy", onCancel);

/**
 * Everything above the pages, one dialog at a time: a question comes first, then the deletion of the
 * account, the audible mark, the login, a film, the payment, which asks for the login itself, and last the contact panel.
 * `lazy` requires a default export.
 */
export default function Overlays() {
  const question = useQuestion();
  const reason = useLoginReason();
  const isBuying = useBuyRequest() !== null;
  const { account } = useAccount();
  const [isContactOpen, setContactOpen] = useState(false);
  const closeContact = useCallback(() => setContactOpen(false), []);
  useClearedByLogin(reason, closeContact);
  const { revalidate } = useRevalidator();
  const leaveRemoved = () => void forgetSavedWork().then(revalidate, revalidate);
  useEffect(claimStoredValues, []);
  const isRemoving = useRemoval() !== null;
  const isMarkOpen = useIsMarkOpen();
  const isFilming = useFilmSource() !== null;
  const canShare = useHasCall("shareCreate");
  const isAsked = question !== null || isRemoving || isMarkOpen || reason !== null || isFilming;
  const isBusy = isAsked || isBuying;
  if (isContactOpen && isBusy) setContactOpen(false);
  const payer = account.isLogin ? account : null;
  return (
    <>
      <Suspense>
        {question ? (
          <ConfirmDialog />
        ) : isRemoving ? (
          <RemovalDialog onLoggedOut={leaveRemoved} notify={notify} />
        ) : isMarkOpen ? (
          <MarkDialog notify={notify} />
        ) : reason ? (
          <LoginDialog onError={tellError} reason={reason} />
        ) : isFilming ? (
          <FilmDialog
            notify={notify}
            sharePanel={
              canShare ? (taskId, onClose) => <SharePanel id={taskId} kind="video" onClose={onClose} /> : undefined
            }
          />
        ) : null}
      </Suspense>
      {isAsked ? null : <Payment payer={payer} />}
      <Service isOpen={isContactOpen && !isBusy} onClose={closeContact} onOpen={() => setContactOpen(true)} />
    </>
  );
}

/** Lowering the login flag clears every dialog. */
function useClearedByLogin(reason: LoginReason | null, closeContact: () => void) {
  const wasAsked = useRef(false);
  useEffect(() => {
    if (!reason && wasAsked.current) {
      stopBuying();
      closeContact();
    }
    wasAsked.current = reason !== null;
  }, [reason, closeContact]);
}

const Payment = memo(({ payer }: { payer: Account | null }) => {
  const { revalidate } = useRevalidator();
  const { isMobile } = useTheme();
  return (
    <Checkout isMobile={isMobile} onLoginNeeded={logInToBuy} onUserChanged={revalidate} payer={payer} notify={notify} />
  );
});

/** Its drag library is 6.4 kB gzipped, which no first load waits for. */
const serviceAfterMs = 1500;

/** On desktops, for members, some time after the page has loaded. */
function Service({ isOpen, onOpen, onClose }: { isOpen: boolean; onOpen(): void; onClose(): void }) {
  const { contact } = useRoot();
  const { isMobile, isTablet, bannerHeight } = useTheme();
  const { account } = useAccount();
  const [isAtRest, setAtRest] = useState(false);
  useEffect(() => {
    const timer = setTimeout(setAtRest, serviceAfterMs, true);
    return () => clearTimeout(timer);
  }, []);
  if (!isAtRest || !contact || !account.isLogin || isMobile || isTablet) return null;
  return (
    <>
      <Suspense>
        <ServiceButton onOpen={onOpen} top={bannerHeight} />
      </Suspense>
      {/* Apart: while it loads the button keeps its place, and the focus. */}
      <Suspense>{isOpen && <ContactPanel onClose={onClose} text={contact.text} />}</Suspense>
    </>
  );
}
