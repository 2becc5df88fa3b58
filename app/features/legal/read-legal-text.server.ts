import { marked } from "marked";
import type { LegalBlock } from "./legal-text";

/** The Markdown of a legal text as the parts that its page shows; the browser gets these alone. */
export const readLegalText = (source: string): LegalBlock[] => marked.lexer(source).flatMap(toBlock);

function toBlock(token: ReturnType<typeof marked.lexer>[number]): LegalBlock[] {
  if (token.type === "heading") return [{ kind: "heading", text: token.text }];
  if (token.type === "paragraph") return [{ kind: "paragraph", text: token.text }];
  if (token.type === "list") {
    return [{ kind: "list", items: token.items.map((item: { text: string }) => item.text) }];
  }
  return [];
}
