import { isRouteErrorResponse, Link, useRevalidator, useRouteError, useRouteLoaderData } from "@remix-run/react";
import { useEffect } from "react";
import { failed, unreached } from "~/copy/failures";
import { paths } from "~/paths";
import { Button, buttonClass } from "~/ui/button";
import { Message } from "./message";
import { NotFound } from "./not-found";

/** What a person sees when a page throws: never a stack, always a way on. `lazy` wants a default export. */
export default function ErrorPage() {
  const error = useRouteError();
  const root = useRouteLoaderData("root") as { requestId?: string } | undefined;
  if (isRouteErrorResponse(error)) return error.status === 404 ? <NotFound /> : <Broken requestId={root?.requestId} />;
  if (isLostFile(error)) return <Unreached again={reload} />;
  return isNetworkFault(error) ? <Unread /> : <Broken requestId={root?.requestId} />;
}

const reload = () => window.location.reload();

/** A part of the page itself could not be fetched: no reading again brings it back. */
const isLostFile = (error: unknown) =>
  error instanceof TypeError && /dynamically imported|module script/i.test(error.message);

/** What fetch throws when nothing answers: its words differ from browser to browser, its kind does not. */
const isNetworkFault = (error: unknown) =>
  error instanceof TypeError && /fetch|network|load failed/i.test(error.message);

function Unread() {
  const { revalidate, state } = useRevalidator();
  return <Unreached again={revalidate} isPending={state === "loading"} />;
}

/** The page is asked for again as soon as the network is back. */
function Unreached({ again, isPending = false }: { again(): void; isPending?: boolean }) {
  useEffect(() => {
    window.addEventListener("online", again);
    return () => window.removeEventListener("online", again);
  }, [again]);
  return (
    <Message heading={unreached.heading} sentence={unreached.sentence}>
      <Button kind="primary" onClick={again} pending={isPending}>
        {unreached.again}
      </Button>
      <Link className={buttonClass()} to={paths.home}>
        {failed.home}
      </Link>
    </Message>
  );
}

function Broken({ requestId }: { requestId: string | undefined }) {
  return (
    <Message heading={failed.heading} sentence={requestId ? failed.sentence + failed.quote : failed.sentence}>
      <Button kind="primary" onClick={() => window.location.reload()}>
        {failed.reload}
      </Button>
      <Link className={buttonClass()} to={paths.home}>
        {failed.home}
      </Link>
      {requestId && (
        <p className="basis-full pt-2 text-xs text-muted">
          {failed.requestId} <code className="select-all">{requestId}</code>
        </p>
      )}
    </Message>
  );
}
