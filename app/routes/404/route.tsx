import { data } from "@remix-run/node";
import type { MetaFunction } from "@remix-run/react";
import { notFoundCopy } from "~/copy/pages";
import { NotFound } from "~/features/layout/error-page";

export { RouteError as ErrorBoundary } from "~/features/layout/page";

export const loader = () => data(null, { status: 404 });

export const meta: MetaFunction = () => [{ title: notFoundCopy.title }, { name: "robots", content: "noindex" }];

export default NotFound;
