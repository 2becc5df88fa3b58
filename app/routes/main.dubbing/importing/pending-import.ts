import { bffPaths, call } from "~/call";
import { toAskedMood } from "~/features/tone/tone";
import { createSavedValue, owned } from "~/ui/store";
import { createLine, isBlank, type Script, type ScriptLine, type Speaker, toDelivery } from "../editor/script";
import { placeBetween, splitTiming } from "../editor/timing";
import type { ParsedLine } from "./parsed-line";

/** A range of a line's content that imported lines replace. */
interface InsertionPoint {
  id: string;
  from: number;
  to: number;
  /** The line's content at that time; the range is ignored if it has changed. */
  content: string;
}

export type ImportedBook = Omit<NonNullable<Script["chapter"]>, "number">;

/** Parsed lines that are not in the script yet. */
export interface PendingImport {
  lines: ParsedLine[];
  /** Null adds the lines at the end. */
  spot: InsertionPoint | null;
  title: string;
  music?: Script["music"];
  /** Whether the user chooses the role of the lines without a name. */
  asksRole?: boolean;
  /** Whether the user chooses if the lines keep their times. */
  asksTiming?: boolean;
  /** The titles of a book's chapters, which become projects. */
  chapters?: readonly string[];
  /** That book. */
  book?: ImportedBook | undefined;
}

/** How the lines are read. */
export interface ImportReading {
  keepsTimes: boolean;
  /** Stage directions set the tone, are only left out, or are spoken. */
  directions: "tone" | "left-out" | "spoken";
}

export const hasTimes = (lines: readonly ParsedLine[]) => lines.some(({ startMs }) => startMs !== undefined);
export const hasDirections = (lines: readonly ParsedLine[]) => lines.some((line) => line.directions !== undefined);

/** The lines as the user wants them read. */
function readAs(lines: readonly ParsedLine[], reading: ImportReading) {
  return lines.map(({ directions, startMs, endMs, ...line }) => ({
    ...line,
    ...(directions && reading.directions === "spoken" && { text: directions.written }),
    ...(reading.directions === "tone" && directions?.mood && toAskedMood(directions.mood)),
    ...(reading.keepsTimes && startMs !== undefined && { startMs, endMs }),
  }));
}

/** Pending imports survive a reload. */
const saved = createSavedValue(owned("dubbing-coming"), (json) => json as { waiting: PendingImport[] } | null);
export const readPendingImports = (): PendingImport[] => saved.read()?.waiting ?? [];
export const savePendingImports = (waiting: PendingImport[]) => saved.write({ waiting });

export type ImportMode = "replace" | "append";

/** What the user decided about an import. */
export interface ImportAnswer {
  decisions: NameDecisions;
  mode: ImportMode;
  reading: ImportReading;
}

export const unasked: Omit<ImportAnswer, "decisions"> = {
  mode: "append",
  reading: { keepsTimes: true, directions: "left-out" },
};

interface ImportOptions extends ImportAnswer {
  /** For lines without a name, unless the line at the spot has a role. */
  defaultRoleId: string;
}

/** The script with the imported lines, however many, and the imported lines. */
export function importLines(
  script: Script,
  { lines: parsed, spot, title, music }: PendingImport,
  { decisions, mode, reading, defaultRoleId }: ImportOptions,
) {
  const target = script.lines.find(({ id }) => id === spot?.id);
  const cast = castLines(readAs(parsed, reading), decisions, target?.roleId || defaultRoleId).map((line) =>
    createLine({ ...(target && target.roleId === line.roleId ? toDelivery(target) : {}), ...line }),
  );
  const { lines, imported } = mode === "replace" ? { lines: cast, imported: cast } : insertAt(script.lines, cast, spot);
  const kept = mode === "replace" ? (music ?? script.music) : (script.music ?? music);
  return { script: { ...script, title: script.title || title, ...(kept && { music: kept }), lines }, imported };
}

/** Inserts the lines at the spot and removes blank lines beside them. */
function insertAt(
  lines: readonly ScriptLine[],
  cast: readonly ScriptLine[],
  spot: InsertionPoint | null,
): { lines: readonly ScriptLine[]; imported: readonly ScriptLine[] } {
  const index = spot ? lines.findIndex(({ id }) => id === spot.id) : lines.length - 1;
  const target = lines[index];
  if (!target) return { lines: [...lines, ...cast], imported: cast };
  // Text that was typed in the meantime is kept as a whole.
  const isUnchanged = spot !== null && target.content === spot.content;
  const [from, to] = isUnchanged ? [spot.from, spot.to] : [target.content.length, target.content.length];
  const [firstTiming, restTiming] = splitTiming(
    { ...target, content: target.content.slice(0, from) + target.content.slice(to) },
    from,
  );
  const before = { ...target, ...firstTiming, content: target.content.slice(0, from) };
  const after = createLine({ ...target, ...restTiming, id: undefined, content: target.content.slice(to) });
  const head = [...lines.slice(0, index), before].filter((line) => line !== before || !isBlank(line));
  const rest = [after, ...lines.slice(index + 1)].filter((line) => line !== after || !isBlank(line));
  const imported = placeBetween(cast, head, rest);
  return { lines: [...head, ...imported, ...rest], imported };
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
export function castLines<Line extends Pick<ParsedLine, "name" | "text">>(
  lines: readonly Line[],
  decisions: NameDecisions,
  defaultRoleId: string,
) {
  return lines.map(({ name, text, ...rest }) => {
    const decision = decisions.get(name ?? nameless);
    if (decision === "text") return { roleId: defaultRoleId, content: `${name}：${text}`, ...rest };
    return { roleId: decision?.roleId ?? defaultRoleId, content: text, ...rest };
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
