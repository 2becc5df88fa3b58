import { marked } from "marked";
import type { SiteCapabilities } from "~/state/capabilities";
import { type LegalBlock, promised } from "./legal-text";

interface LegalSite {
  upstream: { readCapabilities(): Promise<SiteCapabilities> };
  frame: { contact: { text: string | null } | null };
}

/** A Markdown text as its page shows it, without what the upstream does not promise; the browser gets words only. */
export const readLegalText = async (source: string, { upstream, frame: { contact } }: LegalSite) => ({
  blocks: promised(marked.lexer(source).flatMap(toBlock), await upstream.readCapabilities()),
  contact: contact && { text: contact.text },
});

function toBlock(token: ReturnType<typeof marked.lexer>[number]): LegalBlock[] {
  if (token.type === "heading" || token.type === "paragraph") return [{ kind: token.type, text: token.text }];
  return token.type === "list" ? [{ kind: "list", items: token.items.map((item: { text: string }) => item.text) }] : [];
}
