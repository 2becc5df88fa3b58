import type { ReactNode } from "react";
import { conditionalTerms } from "~/copy/pages";
import type { Offer } from "~/offer";

/** The parts of Markdown that the terms use, as the server's reader gives them. */
export type Block =
  | { kind: "heading"; text: string }
  | { kind: "paragraph"; text: string }
  | { kind: "list"; items: string[] };

function Piece({ block }: { block: Block }): ReactNode {
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

export function Terms({ blocks }: { blocks: Block[] }) {
  return blocks.map((block) => <Piece block={block} key={block.kind === "list" ? block.items[0] : block.text} />);
}

/** The terms without the sentences about the engine and the files' label, where the upstream promises neither. */
export function promised(
  blocks: readonly Block[],
  { engine, isLabelled }: Pick<Offer, "engine" | "isLabelled">,
): Block[] {
  return blocks.flatMap((block): Block[] => {
    if (block.kind === "paragraph" && engine !== "embedded" && conditionalTerms.engine.test(block.text)) return [];
    if (block.kind !== "list" || isLabelled) return [block];
    return [{ kind: "list", items: block.items.filter((item) => !conditionalTerms.label.test(item)) }];
  });
}
