import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Says that no ffmpeg shall be used even where one is installed. */
const none = "none";

/** The path of the named program, else of the one on PATH; undefined for `none` and where there is none. */
export function findFfmpeg(named: string | undefined, searchPath = ""): string | undefined {
  if (named) return named === none ? undefined : named;
  const name = process.platform === "win32" ? "ffmpeg.exe" : "ffmpeg";
  const folders = searchPath.split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}
