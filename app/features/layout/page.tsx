import { isRouteErrorResponse, type MetaDescriptor, useLocation } from "@remix-run/react";
import { type ComponentType, useEffect, useState } from "react";
import { joinDetails } from "~/copy/format";
import { loadFailureCopy, siteCopy } from "~/copy/site";
import { Button } from "~/ui/button";
import { loadWithErrors } from "~/ui/lazy-part";

/** Title of a page that throws: that it is missing, or that something went wrong. */
export function failureMeta(error: unknown, matches: readonly PageMatch[]): MetaDescriptor[] {
  const isMissing = isRouteErrorResponse(error) && error.status === 404;
  const title = joinDetails(siteCopy[isMissing ? "missing" : "failed"], siteNameOf(matches));
  return [{ title }, { name: "robots", content: "noindex" }];
}

interface PageMatch {
  id: string;
  data: unknown;
}

interface PageWords {
  title: string;
  description: string;
  /** The specification gives the title to the letter: it goes without the site's name. */
  hasExactTitle?: boolean;
}

/** Title with the site's name, description and Open Graph of a page. */
export function pageMeta(page: PageWords, matches: readonly PageMatch[]): MetaDescriptor[] {
  const siteName = siteNameOf(matches);
  const isWhole = page.hasExactTitle || page.title.includes(siteName);
  const title = isWhole ? page.title : joinDetails(page.title, siteName);
  return [{ title }, ...describe(page), { property: "og:site_name", content: siteName }];
}

function describe({ title, description }: PageWords): MetaDescriptor[] {
  return [
    { name: "description", content: description },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
    { property: "og:type", content: "website" },
    { property: "og:locale", content: "zh_CN" },
  ];
}

export function siteNameOf(matches: readonly PageMatch[]): string {
  const root = matches.find(({ id }) => id === "root")?.data as { siteName?: string } | undefined;
  return root?.siteName ?? "";
}

let ErrorPage: ComponentType | null = null;

/** Loads the error page, which no other page needs. */
async function loadErrorPage() {
  ErrorPage = (await import("./error-page").catch(() => ({ default: Bare }))).default;
  return ErrorPage;
}

if (import.meta.env.SSR) await loadErrorPage();
loadWithErrors(loadErrorPage);

/** The error boundary of every route. A link may ask for the document instead. */
export function RouteError() {
  const { pathname, state } = useLocation();
  const [loadsDocument] = useState(() => state?.loadsDocumentOnError === true && navigator.onLine);
  const [Page, setPage] = useState(() => ErrorPage);
  useEffect(() => {
    if (!Page) void loadErrorPage().then((loaded) => setPage(() => loaded));
  }, [Page]);
  useEffect(() => {
    // Without the link's state, so that a document which fails too shows its error.
    if (loadsDocument) window.location.replace(pathname);
  }, [loadsDocument, pathname]);
  return Page && !loadsDocument ? <Page /> : null;
}

const reload = () => window.location.reload();

/** Fallback if the error page cannot load either: reloads on a press and when the network is back. */
function Bare() {
  useEffect(() => {
    window.addEventListener("online", reload);
    return () => window.removeEventListener("online", reload);
  }, []);
  return (
    <div className="grid justify-items-center gap-6 px-4 py-16 text-center">
      <h1 className="font-song text-2xl font-semibold">{loadFailureCopy.sentence}</h1>
      <Button kind="primary" onClick={reload}>
        {siteCopy.again}
      </Button>
    </div>
  );
}
