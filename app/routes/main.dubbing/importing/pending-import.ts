import { bffPaths, call } from "~/call";
import { createSavedValue, owned } from "~/ui/store";
import { createLine, isBlank, type Script, type ScriptLine, type Speaker, toDelivery } from "../editor/script";
import type { ParsedLine } from "./parsed-line";

/** A range of a line's content that imported lines replace. */
interface InsertionPoint {
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
  spot: InsertionPoint | null;
  title: string;
  music?: Script["music"];
  /** Whether the user chooses the role of the lines without a name. */
  asksRole?: boolean;
}

/** Pending imports survive a reload. */
const saved = createSavedValue(owned("dubbing-coming"), (json) => json as { waiting: PendingImport[] } | null);
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
  { lines: parsed, spot, title, music }: PendingImport,
  { decisions, mode, defaultRoleId }: ImportOptions,
) {
  const target = script.lines.find(({ id }) => id === spot?.id);
  const imported = castLines(parsed, decisions, target?.roleId || defaultRoleId).map((line) =>
    createLine({ ...(target && target.roleId === line.roleId ? toDelivery(target) : {}), ...line }),
  );
  const lines = mode === "replace" ? imported : insertAt(script.lines, imported, spot);
  const kept = mode === "replace" ? (music ?? script.music) : (script.music ?? music);
  return { script: { title: script.title || title, ...(kept && { music: kept }), lines }, imported };
}

/** Inserts the lines at the spot and removes blank lines beside them. */
function insertAt(
  lines: readonly ScriptLine[],
  imported: readonly ScriptLine[],
  spot: InsertionPoint | null,
): ScriptLine[] {
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

/** The distinct names in a script, in order of appearance. */
export const namesOf = (lines: readonly ParsedLine[]): string[] => [
  ...new Set(lines.flatMap(({ name }) => name ?? [])),
];

/** Role ids by name, for the names that equal a role's; of two roles with one name the first. */
export function matchNames(
  names: readonly string[],
  roles: readonly Pick<Speaker, "roleId" | "name">[],
): Map<string, string> {
  const idByName = new Map<string, string>();
  for (const { name, roleId } of roles) if (!idByName.has(normalize(name))) idByName.set(normalize(name), roleId);
  return new Map(
    names.flatMap((name) => {
      const roleId = idByName.get(normalize(name));
      return roleId === undefined ? [] : [[name, roleId] as const];
    }),
  );
}

const normalize = (name: string) => name.normalize("NFKC").trim().toLowerCase();

/** A role for a name, or "text" if the name is part of the line's text. */
export type NameDecision = { roleId: string } | "text";
export type NameDecisions = ReadonlyMap<string, NameDecision>;
/** Stands for the lines without a name among the decisions. */
export const nameless = "";

/** Assigns a role to every line; lines without a name or decision get `defaultRoleId`. */
export function castLines(lines: readonly ParsedLine[], decisions: NameDecisions, defaultRoleId: string) {
  return lines.map(({ name, text, ...times }) => {
    const decision = decisions.get(name ?? nameless);
    if (decision === "text") return { roleId: defaultRoleId, content: `${name}：${text}`, ...times };
    return { roleId: decision?.roleId ?? defaultRoleId, content: text, ...times };
  });
}

const searchedNamesMax = 30;
const timeoutMs = 20_000;

interface RoleSearch {
  /** Visitors have no roles to search. */
  isLoggedIn: boolean;
  signal: AbortSignal;
}

/** Searches roles by exact name, for the first 30 names; `failed` are names whose search failed or timed out. */
export async function findRoles(names: readonly string[], { isLoggedIn, signal }: RoleSearch) {
  const timeout = new AbortController();
  const abort = () => timeout.abort();
  const timer = setTimeout(abort, timeoutMs);
  signal.addEventListener("abort", abort);
  const paths = isLoggedIn ? [bffPaths.ownVoices, bffPaths.squareVoices] : [bffPaths.squareVoices];
  const found: Speaker[] = [];
  const failed = new Set<string>();
  await Promise.all(
    names.slice(0, searchedNamesMax).map(async (name) => {
      try {
        found.push(...(await findRolesNamed(name, paths, timeout.signal)));
      } catch {
        failed.add(name);
      }
    }),
  );
  clearTimeout(timer);
  signal.removeEventListener("abort", abort);
  return { found, failed: names.filter((name) => failed.has(name)) };
}

/** The first role with that name, of the account or of the square. */
async function findRolesNamed(name: string, paths: readonly string[], signal: AbortSignal): Promise<Speaker[]> {
  for (const path of paths) {
    const { voices } = await call<{ voices: Speaker[] }>(`${path}?${new URLSearchParams({ keyword: name })}`, {
      signal,
    });
    const found = voices.find((voice) => matchNames([name], [voice]).size > 0);
    if (found) return [found];
  }
  return [];
}

/** The sentences of a sound with their times. Throws `Refused`. */
export async function transcribeLines(file: File): Promise<ParsedLine[]> {
  const { transcribeSound } = await import("~/features/reference/reference");
  const { segments } = await transcribeSound(file, file.name);
  return segments.map(({ start, end, text }) => ({
    ...{ name: null, text },
    ...{ startMs: Math.round(start * 1000), endMs: Math.round(end * 1000) },
  }));
}

/** The progress of the first pending import. */
export interface ImportStage {
  pending: PendingImport;
  phase: "searching" | "failed" | "asking";
  /** Role ids by name. */
  known: Map<string, string>;
  /** Names without a role: searched now, failed, or to be decided by the user. */
  unknown: string[];
  attempt: number;
}

export const toDecisions = (known: ReadonlyMap<string, string>) =>
  new Map<string, NameDecision>([...known].map(([name, roleId]) => [name, { roleId }]));
