import type { LoaderFunctionArgs } from "@remix-run/node";
import { type MetaFunction, useLoaderData } from "@remix-run/react";
import { servicePageCopy } from "~/copy/pages";
import source from "~/copy/terms.md?raw";
import { pageMeta } from "~/features/layout/page";
import { LegalText } from "~/features/legal/legal-text";
import { readLegalText } from "~/features/legal/read-legal-text.server";
import { trialMax } from "~server/contract/limits";

export { RouteError as ErrorBoundary } from "~/features/layout/page";

export const meta: MetaFunction = ({ matches }) => pageMeta(servicePageCopy, matches);

export const loader = ({ context }: LoaderFunctionArgs) =>
  readLegalText(source.replace("{trialMax}", String(trialMax)), context);

export default function Service() {
  return <LegalText heading={servicePageCopy.title} {...useLoaderData<typeof loader>()} />;
}
