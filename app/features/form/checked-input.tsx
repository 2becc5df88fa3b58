import { sharedPageCopy as words } from "~/copy/share";
import type { SharedWork } from "~server/bff/shares.server";

const headingMax = 40;

/** Names a shared work: its title, or the beginning of its text. */
export function headingOf({ title, lines }: Pick<SharedWork, "title" | "lines">): string {
  const text = title || (lines[0]?.content.replace(/\s+/g, " ").trim() ?? "");
  const letters = [...text];
  return (letters.length > headingMax ? `${letters.slice(0, headingMax - 1).join("")}…` : text) || words.untitled;
}
