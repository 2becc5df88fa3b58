import type { Offer } from "~/offer";
import type { Block } from "./terms";

const embeddedEngine = /内置引擎/;
const fileLabel = /^(这里生成的每个音频文件都带有|下载的文件在内容之外)/;

/** The terms without the sentences about the engine and the files' label, where the upstream promises neither. */
export function promised(
  blocks: readonly Block[],
  { engine, isLabelled }: Pick<Offer, "engine" | "isLabelled">,
): Block[] {
  return blocks.flatMap((block): Block[] => {
    if (block.kind === "paragraph" && engine !== "embedded" && embeddedEngine.test(block.text)) return [];
    if (block.kind !== "list" || isLabelled) return [block];
    return [{ kind: "list", items: block.items.filter((item) => !fileLabel.test(item)) }];
  });
}
