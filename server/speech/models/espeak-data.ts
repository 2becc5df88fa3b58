import { closeSync, mkdirSync, openSync, readFileSync, readSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const prefix = "/usr/share/espeak-ng-data/";
/** Data that sherpa-onnx needs to read English words: 0.8 of 24 MB. */
const englishFiles = ["phontab", "phonindex", "phondata", "intonations", "en_dict", "lang/gmw/en", "lang/gmw/en-US"];

/**
 * Writes eSpeak's data for English into a folder, out of the package of the embedded engine: the released models carry the
 * same data in hundreds of files. The format is eSpeak 1.48's and later.
 */
export function writeEspeakData(folder: string): void {
  const program = createRequire(import.meta.url).resolve("@echogarden/espeak-ng-emscripten");
  const script = readFileSync(program, "utf8");
  const archive = openSync(join(dirname(program), "espeak-ng.data"), "r");
  try {
    for (const name of englishFiles) {
      const { start, end } = findRange(script, prefix + name);
      const bytes = Buffer.alloc(end - start);
      readSync(archive, bytes, 0, bytes.length, start);
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), bytes);
    }
  } finally {
    closeSync(archive);
  }
}

/** The place of a file in the archive, from the table in Emscripten's loader. */
function findRange(script: string, name: string): { start: number; end: number } {
  const at = script.indexOf(`"${name}"`);
  const [, start, end] = /"?start"?:\s*(\d+),\s*"?end"?:\s*(\d+)/.exec(script.slice(at, at + name.length + 80)) ?? [];
  if (at < 0 || start === undefined || end === undefined) throw new Error(`eSpeak's package has no ${name}`);
  return { start: Number(start), end: Number(end) };
}
