import { memo, Suspense } from "react";
import { loadFailureCopy } from "~/copy/errors";
import { useAccount } from "~/features/account/provider";
import { askToConfirm } from "~/features/confirm/confirm";
import { LoginLink } from "~/features/login/login-link";
import { notify } from "~/features/toasts/notify";
import { Button } from "~/ui/button";
import { lazyPart } from "~/ui/lazy-part";

const AccountMenu = lazyPart(
  () => import("~/features/account/account-menu"),
  (_props, { retry }) => <Button onClick={retry}>{loadFailureCopy.retryAccount}</Button>,
);

/** The way in, or who is in. Updated seldom: React gives up on a lazy part that gets an update while it hydrates. */
export const AccountCorner = memo(({ onGone }: { onGone(): void }) => {
  const { account } = useAccount();
  if (!account.isLogin) return <LoginLink />;
  return (
    <Suspense fallback={<div className="h-11 w-11 md:w-[9.25rem]" />}>
      <AccountMenu ask={askToConfirm} onLoggedOut={onGone} notify={notify} />
    </Suspense>
  );
});
