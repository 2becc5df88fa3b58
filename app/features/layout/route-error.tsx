import { lazy, Suspense } from "react";
import { site } from "~/copy/site";

const Bare = () => <h1 className="p-8 text-center">{site.failed}</h1>;
const ErrorPage = lazy(() => import("./error-page").catch(() => ({ default: Bare })));

/** The error boundary of every route. Its page is seldom wanted, so it comes when it is; see the frame's watch. */
export function RouteError() {
  return (
    <Suspense>
      <ErrorPage />
    </Suspense>
  );
}
