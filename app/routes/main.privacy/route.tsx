import type { LoaderFunctionArgs } from "@remix-run/node";
import { type MetaFunction, useLoaderData } from "@remix-run/react";
import { privacyPageCopy } from "~/copy/pages";
import source from "~/copy/privacy.md?raw";
import { pageMeta } from "~/features/layout/page";
import { LegalText } from "~/features/legal/legal-text";
import { readLegalText } from "~/features/legal/read-legal-text.server";

export { RouteError as ErrorBoundary } from "~/features/layout/page";

export const meta: MetaFunction = ({ matches }) => pageMeta(privacyPageCopy, matches);

export const loader = ({ context }: LoaderFunctionArgs) => readLegalText(source, context);

export default function Privacy() {
  return <LegalText heading={privacyPageCopy.title} {...useLoaderData<typeof loader>()} />;
}
