import { Link, useLocation } from "@remix-run/react";
import type { MouseEvent } from "react";
import { siteCopy } from "~/copy/site";
import { paths } from "~/paths";
import { buttonClass } from "~/ui/button";
import { askToLogIn } from "./login-flag";

/** The header's login link: opens the dialog; in a new tab or without scripts the login page. */
export function LoginLink() {
  const { pathname, search } = useLocation();
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    askToLogIn("asked");
  };
  return (
    <Link
      className={`${buttonClass({ kind: "outline" })} tight:!whitespace-nowrap tight:!px-2.5`}
      onClick={open}
      to={paths.loginFrom(pathname + search)}
    >
      {siteCopy.login}
    </Link>
  );
}
