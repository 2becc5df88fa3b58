import type { LoaderFunctionArgs } from "@remix-run/node";
import { type MetaFunction, useLoaderData } from "@remix-run/react";
import { servicePageCopy } from "~/copy/pages";
import source from "~/copy/terms.md?raw";
import { pageMeta } from "~/features/layout/page";
import { LegalText, promised } from "~/features/legal/legal-text";
import { readLegalText } from "~/features/legal/read-legal-text.server";
import { trialMax } from "~server/contract/limits";

export { RouteError as ErrorBoundary } from "~/features/layout/page";

export const meta: MetaFunction = ({ matches }) => pageMeta(servicePageCopy, matches);

export async function loader({ context: { upstream, frame } }: LoaderFunctionArgs) {
  const blocks = readLegalText(source.replace("{trialMax}", String(trialMax)));
  return {
    blocks: promised(blocks, await upstream.readOffer()),
    contact: frame.contact && { text: frame.contact.text },
  };
}

export default function Service() {
  return <LegalText heading={servicePageCopy.title} {...useLoaderData<typeof loader>()} />;
}
