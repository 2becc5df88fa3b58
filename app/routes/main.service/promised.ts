import { conditionalTerms } from "~/copy/pages";
import type { Offer } from "~/offer";
import type { Block } from "./terms";

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
