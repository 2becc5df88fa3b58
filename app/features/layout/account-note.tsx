import { Link, useLocation } from "@remix-run/react";
import { needsAccount } from "~/copy/pages";
import { site } from "~/copy/site";
import { paths } from "~/paths";
import { buttonClass } from "~/ui/button";
import { Icon } from "~/ui/icons/icon";

interface AccountNoteProps {
  heading: string;
  sentence: string;
  points: readonly string[];
  isLoggedIn: boolean;
}

/** A page whose content belongs to an account and that is not open yet: what it will be, and what works meanwhile. */
export function AccountNote({ heading, sentence, points, isLoggedIn }: AccountNoteProps) {
  const { pathname } = useLocation();
  return (
    <div className="mx-auto max-w-page px-4 py-10 md:px-6 md:py-16">
      <h1 className="font-song text-2xl font-semibold md:text-3xl">{heading}</h1>
      <p className="mt-3 max-w-[34em] text-muted">{sentence}</p>
      <ul className="mt-6 grid gap-3">
        {points.map((point) => (
          <li className="flex gap-3" key={point}>
            <Icon className="mt-0.5 shrink-0 text-celadon" name="check" />
            {point}
          </li>
        ))}
      </ul>
      <div className="mt-8 flex flex-wrap gap-3">
        <Link className={buttonClass({ kind: "primary" })} to={paths.trial}>
          {needsAccount.toTrial}
        </Link>
        {!isLoggedIn && (
          <Link className={buttonClass()} to={paths.loginFrom(pathname)}>
            {site.login}
          </Link>
        )}
        <Link className={buttonClass({ kind: "quiet" })} to={paths.square}>
          {needsAccount.toSquare}
        </Link>
      </div>
      <p className="mt-4 text-xs text-muted">{isLoggedIn ? needsAccount.notYet : needsAccount.trialNote}</p>
    </div>
  );
}
