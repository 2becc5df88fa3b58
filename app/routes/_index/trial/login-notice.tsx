import { Link } from "@remix-run/react";
import { trial } from "~/copy/trial";
import { stopAskingToLogIn, useLoginFlag } from "~/features/login/login-flag";
import { paths } from "~/paths";
import { Button, buttonClass } from "~/ui/button";
import { Icon } from "~/ui/icons/icon";

/** Says why an account is needed and what stays meanwhile. */
export function LoginNotice() {
  const reason = useLoginFlag();
  if (!reason) return null;
  return (
    <div className="mt-3.5 flex flex-wrap items-center gap-3 rounded border border-line p-4" role="alert">
      <Icon className="shrink-0 text-gold" name="lock" />
      <p className="min-w-[14em] flex-1 text-sm">{reason === "trials-used" ? trial.usedUp : trial.saveRole}</p>
      <div className="flex gap-2">
        <Link className={buttonClass()} onClick={stopAskingToLogIn} to={paths.login}>
          {trial.toLogin}
        </Link>
        <Button kind="quiet" onClick={stopAskingToLogIn}>
          {trial.close}
        </Button>
      </div>
    </div>
  );
}
