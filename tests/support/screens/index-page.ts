import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileOf, looksOf } from "./camera";
import type { Scene } from "./scene";

export interface Chapter {
  heading: string;
  scenes: readonly Scene[];
}

const intro = `# 每一屏

这些图由 \`npm run screens\` 拍下：它起一个全新的站点，注册账号、付款、克隆、配音，再逐屏截图。手机 360 × 780，电脑 1280 × 900。
主要的屏各有浅色和深色两张；各种状态只留电脑浅色和手机深色。\`npm run screens -- --all 文件夹\` 把四种都拍到别处，\`--only 名字\` 只拍一部分。
`;

/** Writes the folder's README: every picture, by chapter. */
export function writeIndex(folder: string, chapters: readonly Chapter[]) {
  const table = ({ heading, scenes }: Chapter) =>
    [`## ${heading}`, "", "| 画面 | 电脑 | 手机 |", "|---|---|---|", ...scenes.map(rowOf), ""].join("\n");
  writeFileSync(join(folder, "README.md"), `${intro}\n${chapters.map(table).join("\n")}`);
}

function rowOf(scene: Scene): string {
  const links = (size: "desktop" | "phone") =>
    looksOf(scene)
      .filter((look) => look.size === size && look.isKept)
      .map((look) => `[${look.isDark ? "深色" : "浅色"}](${fileOf(scene, look)})`)
      .join(" · ");
  return `| ${scene.title} | ${links("desktop") || "—"} | ${links("phone") || "—"} |`;
}
