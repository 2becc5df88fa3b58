import { Link, type MetaFunction, useSearchParams } from "@remix-run/react";
import { useEffect } from "react";
import { errorSentences } from "~/copy/errors";
import { loginPage, needsAccount } from "~/copy/pages";
import { pageMeta } from "~/features/layout/page-meta";
import { notify } from "~/features/toasts/notify";
import { paths } from "~/paths";
import { buttonClass } from "~/ui/button";
import { Card } from "~/ui/card";

export const handle = { layout: "fullscreen" };

export const meta: MetaFunction = ({ matches }) =>
  pageMeta({ title: loginPage.title, description: loginPage.noNeed }, matches);

/** An expired session leads here with `?expired=1`. */
function useExpiryNotice() {
  const [query, setQuery] = useSearchParams();
  const isExpired = query.has("expired");
  useEffect(() => {
    if (!isExpired) return;
    notify({ kind: "error", text: errorSentences["login-expired"] });
    setQuery({}, { replace: true });
  }, [isExpired, setQuery]);
}

export default function Login() {
  useExpiryNotice();
  return (
    <Card className="w-full max-w-[440px] p-6 shadow-card md:p-8">
      <h1 className="font-song text-2xl font-semibold">{loginPage.heading}</h1>
      <p className="mt-4">{loginPage.sentence}</p>
      <p className="mt-2 text-muted">{loginPage.noNeed}</p>
      <div className="mt-6 grid gap-3">
        <Link className={buttonClass({ kind: "primary", size: "large" })} to={paths.trial}>
          {needsAccount.toTrial}
        </Link>
        <Link className={buttonClass({ kind: "quiet" })} to={paths.square}>
          {needsAccount.toSquare}
        </Link>
      </div>
    </Card>
  );
}
