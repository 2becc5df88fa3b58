import type { ReactNode } from "react";
import { namesOfVendors } from "~/copy/recording";
import { serviceCopy } from "~/copy/site";
import { paths } from "~/paths";
import type { SiteCapabilities } from "~/state/capabilities";

/** The parts of Markdown that legal texts use, as the server's reader gives them. */
export type LegalBlock =
  | { kind: "heading"; text: string }
  | { kind: "paragraph"; text: string }
  | { kind: "list"; items: string[] };

function Piece({ block }: { block: LegalBlock }): ReactNode {
  if (block.kind === "heading") return <h2 className="mt-10 font-song text-xl font-semibold">{block.text}</h2>;
  if (block.kind === "paragraph") return <p className="mt-4">{block.text}</p>;
  return (
    <ul className="mt-4 grid list-disc gap-2 pl-6 marker:text-seal">
      {block.items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  );
}

interface LegalTextProps {
  heading: string;
  blocks: LegalBlock[];
  /** Whom to ask; null leaves the section out. */
  contact: { text: string | null } | null;
}

/** The terms or the privacy policy, and whom to ask about them. */
export function LegalText({ heading, blocks, contact }: LegalTextProps) {
  return (
    <article className="mx-auto max-w-[46rem] px-4 py-8 md:px-6 md:py-12">
      <h1 className="font-song text-2xl font-semibold md:text-3xl">{heading}</h1>
      {blocks.map((block) => (
        <Piece block={block} key={block.kind === "list" ? block.items[0] : block.text} />
      ))}
      {contact && (
        <section aria-labelledby="contact">
          <h2 className="mt-10 scroll-mt-24 font-song text-xl font-semibold" id="contact">
            {serviceCopy.title}
          </h2>
          <div className="mt-4 flex flex-wrap items-center gap-5">
            <img alt={serviceCopy.qr} className="h-36 w-36 rounded border border-line" src={paths.contactQr} />
            <p className="min-w-0 flex-[1_1_14rem] select-text whitespace-pre-line break-words">
              {contact.text ?? serviceCopy.demo}
            </p>
          </div>
        </section>
      )}
    </article>
  );
}

/**
 * A legal text with those of its pieces `{condition|words}` that are true of this upstream, and the vendors' names for
 * `$vendors`. A condition is a call that the upstream has, or one of `conditions`.
 */
export function promised(blocks: readonly LegalBlock[], site: SiteCapabilities): LegalBlock[] {
  const { engine, isLabelled, vendors, missing } = site;
  const noVendors = vendors.length === 0;
  const others = { embedded: engine === "embedded", labelled: isLabelled, vendors: !noVendors, noVendors };
  const conditions = new Map<string, boolean>(Object.entries(others));
  const isTrue = (name: string) => conditions.get(name) ?? !(missing as string[]).includes(name);
  const read = (text: string) =>
    text
      .replace(/\{(\w+)\|([^}]*)\}/g, (_, name: string, words: string) => (isTrue(name) ? words : ""))
      .replace("$vendors", namesOfVendors(vendors));
  return blocks.flatMap((block): LegalBlock[] => {
    if (block.kind !== "list") return read(block.text) ? [{ ...block, text: read(block.text) }] : [];
    return [{ kind: "list", items: block.items.map(read).filter(Boolean) }];
  });
}
