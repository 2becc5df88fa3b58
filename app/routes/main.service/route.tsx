import type { LoaderFunctionArgs } from "@remix-run/node";
import { type MetaFunction, useLoaderData } from "@remix-run/react";
import { marked } from "marked";
import { servicePageCopy } from "~/copy/pages";
import source from "~/copy/terms.md?raw";
import { pageMeta } from "~/features/layout/page";
import { trialMax } from "~server/contract/limits";
import { type Block, promised, Terms } from "./terms";

export { RouteError as ErrorBoundary } from "~/features/layout/page";

export const meta: MetaFunction = ({ matches }) => pageMeta(servicePageCopy, matches);

/** The Markdown is read on the server; the browser gets words only, and none that the upstream does not promise. */
export async function loader({ context: { upstream } }: LoaderFunctionArgs) {
  return { blocks: promised(blocks, await upstream.readOffer()) };
}

function toBlock(token: ReturnType<typeof marked.lexer>[number]): Block[] {
  if (token.type === "heading") return [{ kind: "heading", text: token.text }];
  if (token.type === "paragraph") return [{ kind: "paragraph", text: token.text }];
  if (token.type === "list") {
    return [{ kind: "list", items: token.items.map((item: { text: string }) => item.text) }];
  }
  return [];
}

const blocks = marked.lexer(source.replace("{trialMax}", String(trialMax))).flatMap(toBlock);

export default function Service() {
  const { blocks } = useLoaderData<typeof loader>();
  return (
    <article className="mx-auto max-w-[46rem] px-4 py-10 md:px-6 md:py-16">
      <h1 className="font-song text-2xl font-semibold md:text-3xl">{servicePageCopy.title}</h1>
      <Terms blocks={blocks} />
    </article>
  );
}
