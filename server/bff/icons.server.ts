import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { IconifyJSON } from "@iconify/types";
import { getIcons } from "@iconify/utils/lib/icon-set/get-icons";

/** The sets that are installed beside the site; another one is a package and a row. */
const installed: Record<string, string> = { lucide: "@iconify-json/lucide/icons.json" };

const mostNames = 64;
const mostKept = 200;
const sets = new Map<string, Promise<IconifyJSON>>();
const kept = new Map<string, string>();

function readSet(prefix: string): Promise<IconifyJSON> | null {
  const file = Object.hasOwn(installed, prefix) && installed[prefix];
  if (!file) return null;
  const reading = sets.get(prefix) ?? readFile(createRequire(import.meta.url).resolve(file), "utf8").then(JSON.parse);
  sets.set(prefix, reading);
  return reading;
}

/**
 * The icons of one set in Iconify's format, as its API gives them: unknown names stand under `not_found`. Null for a set
 * that is not installed, for no name, and for more names than any page has.
 */
export async function iconsOf(prefix: string, names: string[]): Promise<string | null> {
  const wanted = [...new Set(names)].filter((name) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)).sort();
  const reading = readSet(prefix);
  if (!reading || wanted.length === 0 || wanted.length > mostNames) return null;
  const key = `${prefix}:${wanted.join()}`;
  const known = kept.get(key);
  if (known) return known;
  const subset = getIcons(await reading, wanted, true);
  const json = JSON.stringify(subset ?? { prefix, icons: {}, not_found: wanted });
  if (kept.size >= mostKept) kept.delete(kept.keys().next().value ?? "");
  kept.set(key, json);
  return json;
}
