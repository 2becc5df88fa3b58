import { createSavedValue } from "~/ui/saved-value";
import { createLine, isBlank, type Script, type ScriptLine, toDelivery } from "../editor/script";
import { castLines, type NameDecisions } from "./cast";
import type { ParsedLine } from "./parse-script";

/** A range of a line's content that imported lines replace. */
export interface Spot {
  id: string;
  from: number;
  to: number;
  /** The line's content at that time; the range is ignored if it has changed. */
  content: string;
}

/** Parsed lines that are not in the script yet. */
export interface PendingImport {
  lines: ParsedLine[];
  /** Null adds the lines at the end. */
  spot: Spot | null;
  title: string;
}

/** Pending imports survive a reload. */
const saved = createSavedValue("dubbing-coming", (json) => json as { waiting: PendingImport[] } | null);
export const readPendingImports = (): PendingImport[] => saved.read()?.waiting ?? [];
export const savePendingImports = (waiting: PendingImport[]) => saved.write({ waiting });

export type ImportMode = "replace" | "append";

interface ImportOptions {
  decisions: NameDecisions;
  mode: ImportMode;
  /** For lines without a name, unless the line at the spot has a role. */
  defaultRoleId: string;
}

/** The script with the imported lines, however many, and the imported lines. */
export function importLines(
  script: Script,
  { lines: parsed, spot, title }: PendingImport,
  { decisions, mode, defaultRoleId }: ImportOptions,
) {
  const target = script.lines.find(({ id }) => id === spot?.id);
  const imported = castLines(parsed, decisions, target?.roleId || defaultRoleId).map((line) =>
    createLine({ ...(target && target.roleId === line.roleId ? toDelivery(target) : {}), ...line }),
  );
  const lines = mode === "replace" ? imported : insertAt(script.lines, imported, spot);
  return { script: { title: script.title || title, lines }, imported };
}

/** Inserts the lines at the spot and removes blank lines beside them. */
function insertAt(lines: readonly ScriptLine[], imported: readonly ScriptLine[], spot: Spot | null): ScriptLine[] {
  const index = spot ? lines.findIndex(({ id }) => id === spot.id) : lines.length - 1;
  const target = lines[index];
  if (!target) return [...lines, ...imported];
  // Text that was typed in the meantime is kept as a whole.
  const isUnchanged = spot !== null && target.content === spot.content;
  const before = { ...target, content: isUnchanged ? target.content.slice(0, spot.from) : target.content };
  const after = createLine({ ...target, id: undefined, content: isUnchanged ? target.content.slice(spot.to) : "" });
  const parts = [before, ...imported, after].filter((line) => !isBlank(line));
  return [...lines.slice(0, index), ...parts, ...lines.slice(index + 1)];
}
