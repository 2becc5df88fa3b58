import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { Link, type MetaFunction, useLoaderData, useSearchParams } from "@remix-run/react";
import { useEffect } from "react";
import { loginAlternativesCopy } from "~/copy/account";
import { errorSentences } from "~/copy/errors";
import { loginPageCopy } from "~/copy/pages";
import { pageMeta } from "~/features/layout/page";
import { LoginForm } from "~/features/login/login-form";
import { notify } from "~/features/toasts/notify";
import { paths } from "~/paths";
import { buttonClass } from "~/ui/button";
import { Card } from "~/ui/card";
import { readUser } from "~server/bff/accounts.server";
import { parseReturnPath } from "~server/bff/json-route.server";

export { RouteError as ErrorBoundary } from "~/features/layout/page";

export const handle = { layout: "fullscreen" };

export const meta: MetaFunction = ({ matches }) =>
  pageMeta({ title: loginPageCopy.title, description: loginPageCopy.sentence }, matches);

/** Redirects to `?next=` after the login, or at once if logged in. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { searchParams, origin } = new URL(request.url);
  const next = parseReturnPath(searchParams.get("next"), origin);
  const user = await readUser(context).catch(() => null);
  if (user) throw redirect(next);
  return { next };
}

/** `?expired=1`: the session has expired; `?banned=1`: the account is banned. */
function useEndNotice() {
  const [query, setQuery] = useSearchParams();
  const reason = query.has("banned") ? "banned" : query.has("expired") ? "expired" : null;
  useEffect(() => {
    if (!reason) return;
    notify({ kind: "error", text: errorSentences[reason === "banned" ? "account-banned" : "login-expired"] });
    setQuery(
      (now) => {
        now.delete(reason);
        return now;
      },
      { replace: true },
    );
  }, [reason, setQuery]);
}

const tellError = (text: string) => notify({ kind: "error", text });

export default function Login() {
  const { next } = useLoaderData<typeof loader>();
  useEndNotice();
  return (
    <div className="w-full max-w-[440px]">
      <Card className="p-5 shadow-card md:p-8">
        <h1 className="font-song text-2xl font-semibold">{loginPageCopy.heading}</h1>
        <p className="mt-2 text-sm text-muted">{loginPageCopy.sentence}</p>
        <LoginForm onDone={() => window.location.assign(next)} onError={tellError} />
      </Card>
      <p className="mt-6 text-balance text-center text-sm text-muted">{loginPageCopy.noNeed}</p>
      <div className="mt-2 flex flex-wrap justify-center gap-2">
        <Link className={buttonClass({ kind: "quiet" })} to={paths.trial}>
          {loginAlternativesCopy.toTrial}
        </Link>
        <Link className={buttonClass({ kind: "quiet" })} to={paths.square}>
          {loginAlternativesCopy.toSquare}
        </Link>
      </div>
    </div>
  );
}
