import { bffPaths } from "~/bff-paths";
import { call } from "~/call";
import type { Speaker } from "../editor/script";
import type { ParsedLine } from "./parse-script";

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

/** Assigns a role to every line; lines without a name or decision get `defaultRoleId`. */
export function castLines(lines: readonly ParsedLine[], decisions: NameDecisions, defaultRoleId: string) {
  return lines.map(({ name, text, ...times }) => {
    const decision = name === null ? undefined : decisions.get(name);
    if (decision === "text") return { roleId: defaultRoleId, content: `${name}：${text}`, ...times };
    return { roleId: decision?.roleId ?? defaultRoleId, content: text, ...times };
  });
}

const searchedNamesMax = 30;
const timeoutMs = 20_000;

interface RoleSearch {
  /** A visitor has no roles of their own to search. */
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
