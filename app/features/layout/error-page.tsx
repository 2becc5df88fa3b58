import { isRouteErrorResponse, Link, useLocation, useRouteError, useRouteLoaderData } from "@remix-run/react";
import { type ReactNode, useEffect, useState } from "react";
import { sentenceFor } from "~/copy/errors";
import {
  errorPageCopy,
  loginPageCopy,
  missingFileCopy,
  notFoundCopy,
  offlinePageCopy,
  privacyPageCopy,
  servicePageCopy,
  slidesPageCopy,
} from "~/copy/pages";
import { navCopy } from "~/copy/site";
import { subscribePageCopy } from "~/copy/subscribe";
import { paths } from "~/paths";
import { Button, buttonClass } from "~/ui/button";
import { Blot } from "~/ui/icons/icon";
import type { Refusal } from "~server/bff/refusal.server";

/** Replaces a page that throws, without a stack and with links. `lazy` requires a default export. */
export default function ErrorPage() {
  const error = useRouteError();
  const root = useRouteLoaderData("root") as { requestId?: string } | undefined;
  const [documentId, setDocumentId] = useState<string>();
  useEffect(() => setDocumentId(document.documentElement.dataset.requestId), []);
  const requestId = root?.requestId ?? documentId;
  if (isRouteErrorResponse(error))
    return error.status === 404 ? <NotFound /> : <Broken fault={faultIn(error.data)} requestId={requestId} />;
  if (isLostFile(error) && navigator.onLine) return <LostFile />;
  return isNetworkFault(error) ? <Unreached /> : <Broken requestId={requestId} />;
}

/** Titles of the pages that links inside the site lead to. */
const titles: Record<string, string> = {
  [paths.home]: navCopy.home,
  [paths.clone]: navCopy.clone,
  [paths.role]: navCopy.role,
  [paths.dubbing]: navCopy.dubbing,
  [paths.slides]: slidesPageCopy.title,
  [paths.square]: navCopy.square,
  [paths.service]: servicePageCopy.title,
  [paths.privacy]: privacyPageCopy.title,
  [paths.subscribe]: subscribePageCopy.title,
  [paths.login]: loginPageCopy.title,
};

const reload = () => window.location.reload();

const ReloadOrHome = ({ label }: { label: string }) => (
  <>
    <Button kind="primary" onClick={reload}>
      {label}
    </Button>
    <Link className={buttonClass()} to={paths.home}>
      {errorPageCopy.home}
    </Link>
  </>
);

/** Matches the errors of import() in Chromium, Firefox and Safari. */
const isLostFile = (error: unknown) =>
  error instanceof TypeError && /dynamically imported|module script/i.test(error.message);

function LostFile() {
  const { pathname } = useLocation();
  const title = titles[pathname];
  return (
    <Message heading={missingFileCopy.heading(title)} sentence={missingFileCopy.sentence}>
      <ReloadOrHome label={errorPageCopy.reload} />
    </Message>
  );
}

/** Matches network errors of fetch and import, TypeErrors whose messages differ by browser. */
const isNetworkFault = (error: unknown) =>
  error instanceof TypeError && /fetch|network|load failed|dynamically imported|module script/i.test(error.message);

/**
 * The page is loaded again as soon as the network is back. Reading its data again is not enough: one of its files may be
 * missing as well, whichever error came first. Drafts are kept.
 */
function Unreached() {
  useEffect(() => {
    window.addEventListener("online", reload);
    return () => window.removeEventListener("online", reload);
  }, []);
  return (
    <Message heading={offlinePageCopy.heading} sentence={offlinePageCopy.sentence}>
      <ReloadOrHome label={offlinePageCopy.again} />
    </Message>
  );
}

/** The sentence of the refusal that a page's loader threw. */
const faultIn = (thrown: { refusal?: Refusal } | null) => thrown?.refusal && sentenceFor(thrown.refusal);

function Broken({ requestId, fault }: { requestId: string | undefined; fault?: string | undefined }) {
  const sentence = requestId ? errorPageCopy.sentence + errorPageCopy.quote : errorPageCopy.sentence;
  return (
    <Message heading={fault ?? errorPageCopy.heading} sentence={sentence}>
      <ReloadOrHome label={errorPageCopy.reload} />
      {requestId && (
        <p className="basis-full pt-2 text-xs text-muted">
          {errorPageCopy.requestId}{" "}
          <code className="select-all" translate="no">
            {requestId}
          </code>
        </p>
      )}
    </Message>
  );
}

/** A page that replaces another one: a picture, the reason, and what to do. */
export function Message({ heading, sentence, children }: { heading: string; sentence: string; children: ReactNode }) {
  return (
    <div className="mx-auto flex max-w-page flex-col items-center px-4 py-16 text-center md:py-24">
      <Blot />
      <h1 className="mt-8 font-song text-2xl font-semibold md:text-3xl">{heading}</h1>
      <p className="mt-3 max-w-[28em] text-muted">{sentence}</p>
      <div className="mt-8 flex flex-wrap justify-center gap-3">{children}</div>
    </div>
  );
}

export function NotFound() {
  return (
    <Message heading={notFoundCopy.heading} sentence={notFoundCopy.sentence}>
      <Link className={buttonClass({ kind: "primary" })} to={paths.home}>
        {notFoundCopy.home}
      </Link>
    </Message>
  );
}
