import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const assets = fileURLToPath(new URL("../../build/client/assets", import.meta.url));

/** Matches the addresses of the browser's files that contain this text: Rollup names joined files by one of them. */
export function filesWith(text: string): RegExp {
  const names = readdirSync(assets).filter(
    (name) => name.endsWith(".js") && readFileSync(`${assets}/${name}`, "utf8").includes(text),
  );
  if (names.length === 0) throw new Error(`no file of the browser contains ${text}`);
  return new RegExp(`/assets/(?:${names.map((name) => name.replaceAll(".", "\\.")).join("|")})$`);
}
