import { takesMax, versionsMax } from "../stored-draft";

/** A project as the account keeps it: JSON. */
export type ProjectDocument = Readonly<Record<string, unknown>>;

export interface MergedProject {
  document: ProjectDocument;
  /** What was changed on both sides: lines are kept twice, of a title or of the music the other device's stays. */
  both: { lines: number; title: boolean; music: boolean };
}

type Fields = Readonly<Record<string, unknown>>;
type MergeLine = Fields & { id: string };
type Rows = readonly unknown[];
type ThreeSides<Value> = [base: Value, local: Value, remote: Value];

const isRecord = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isLine = (value: unknown): value is MergeLine => isRecord(value) && typeof value.id === "string";
const fieldsIn = (value: unknown): Fields => (isRecord(value) ? value : {});
const rowsIn = (value: unknown): Rows => (Array.isArray(value) ? value : []);
const mapSides = <From, To>([base, local, remote]: ThreeSides<From>, to: (side: From) => To): ThreeSides<To> => [
  to(base),
  to(local),
  to(remote),
];

/** Equal as JSON, whatever the order of their fields. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  if (!isRecord(a) || !isRecord(b)) return false;
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => isSame(a[key], b[key]));
}

/** The value that the changes of both sides lead to; null where both changed it, each in its way. */
function choose<Value>(base: Value, local: Value, remote: Value): { value: Value } | null {
  if (isSame(local, remote) || isSame(base, local)) return { value: remote };
  return isSame(base, remote) ? { value: local } : null;
}

/**
 * Joins the changes of two devices since `base`; null where nothing is known of it. A line that only one side has changed
 * is taken, one that both have changed is kept twice, and an edited one outlives its deletion.
 */
export function mergeProjects(
  base: ProjectDocument | null,
  local: ProjectDocument,
  remote: ProjectDocument,
): MergedProject {
  const sides: ThreeSides<ProjectDocument> = [base ?? {}, local, remote];
  const scripts = mapSides(sides, ({ script }) => fieldsIn(script));
  const lines = mergeLines(
    mapSides(scripts, (script) => rowsIn(script.lines).filter(isLine)),
    base !== null,
  );
  const [old, own, other] = scripts;
  const changedByBoth = (field: string) => choose(old[field], own[field], other[field]) === null;
  const rowsOf = (field: string, keyOf: (row: unknown) => string) =>
    mergeRows(
      mapSides(sides, (document) => rowsIn(document[field])),
      keyOf,
    );
  const document = {
    ...mergeFields(sides, ["script", "speakers", "made", "takes", "versions"]),
    script: { ...mergeFields(scripts, ["lines"]), lines: lines.merged },
    speakers: rowsOf("speakers", (row) => String(fieldsIn(row).roleId)),
    made: rowsOf("made", (row) => String(rowsIn(row)[0])),
    takes: mergeTakes(mapSides(sides, takesIn), lines.copies),
    versions: newestFirst(
      rowsOf("versions", (row) => String(fieldsIn(row).at)),
      versionsMax,
    ),
  };
  return { document, both: { lines: lines.copies.size, title: changedByBoth("title"), music: changedByBoth("music") } };
}

/** Of a field that both have changed, the other device's value stays. */
function mergeFields([base, local, remote]: ThreeSides<Fields>, except: readonly string[]): Fields {
  const names = [...new Set([...Object.keys(local), ...Object.keys(remote)])].filter((name) => !except.includes(name));
  const chosen = names.map((name) => {
    const found = choose(base[name], local[name], remote[name]);
    return [name, found ? found.value : remote[name]];
  });
  return Object.fromEntries(chosen.filter(([, value]) => value !== undefined));
}

/** Rows by their key, the local ones first. */
function mergeRows(sides: ThreeSides<Rows>, keyOf: (row: unknown) => string): unknown[] {
  const [old, own, other] = mapSides(sides, (rows) => new Map(rows.map((row) => [keyOf(row), row])));
  return [...new Set([...own.keys(), ...other.keys()])].flatMap((key) => {
    const found = choose(old.get(key), own.get(key), other.get(key));
    const value = found ? found.value : (other.get(key) ?? own.get(key));
    return value === undefined ? [] : [value];
  });
}

const takesIn = ({ takes }: ProjectDocument): Map<string, Rows> =>
  new Map(rowsIn(takes).map((row) => [String(rowsIn(row)[0]), rowsIn(rowsIn(row)[1])]));

/** The second copy of a line has the takes of the side that it comes from. */
function mergeTakes(sides: ThreeSides<Map<string, Rows>>, copies: ReadonlyMap<string, string>): Array<[string, Rows]> {
  const [, own, other] = sides;
  const merged = [...new Set([...own.keys(), ...other.keys()])].map((id): [string, Rows] => {
    const rows = mergeRows(
      mapSides(sides, (side) => side.get(id) ?? []),
      (take) => String(fieldsIn(take).key),
    );
    return [id, newestFirst(rows, takesMax)];
  });
  const copied = [...copies].flatMap(([id, copyId]): Array<[string, Rows]> => {
    const takes = own.get(id);
    return takes ? [[copyId, takes]] : [];
  });
  return [...merged, ...copied];
}

const newestFirst = (rows: Rows, max: number) =>
  [...rows].sort((a, b) => Number(fieldsIn(b).at) - Number(fieldsIn(a).at)).slice(0, max);

/** `copies`: the id of the second copy by the id of a line that both have changed. */
function mergeLines(sides: ThreeSides<readonly MergeLine[]>, isBaseKnown: boolean) {
  const [old, own, other] = mapSides(sides, (lines) => new Map(lines.map((line) => [line.id, line])));
  const merged = new Map<string, MergeLine[]>();
  const copies = new Map<string, string>();
  for (const id of new Set([...own.keys(), ...other.keys()])) {
    const [mine, theirs] = [own.get(id), other.get(id)];
    const found = choose(old.get(id), mine, theirs);
    const kept = found ? [found.value] : [theirs ?? mine];
    if (!found && mine && theirs) {
      const copy = { ...mine, id: copyIdOf(mine) };
      copies.set(id, copy.id);
      if (!other.has(copy.id)) kept.push(copy);
    }
    merged.set(
      id,
      kept.flatMap((line) => line ?? []),
    );
  }
  const [before, local, remote] = mapSides(sides, (lines) =>
    lines.map(({ id }) => id).filter((id) => merged.get(id)?.length !== 0),
  );
  const base = isBaseKnown ? before : local.filter((id) => other.has(id));
  const list = orderOf([base, local, remote], new Set(base)).flatMap((id) => merged.get(id) ?? []);
  // Each side has deleted what the other kept, but a script has a line.
  return { merged: list.length > 0 ? list : sides[2], copies };
}

/** The same for the same line, so that a merge that is repeated adds no further copy. */
function copyIdOf(line: MergeLine): string {
  const fields = Object.entries(line).sort(([a], [b]) => (a < b ? -1 : 1));
  let hash = 2166136261;
  for (const character of JSON.stringify(fields)) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16777619);
  return `${line.id}-${(hash >>> 0).toString(36)}`;
}

/**
 * The order of the merged lines. Known lines follow the side that has moved some, the remote one if both have; added lines
 * follow the known line that they were added after.
 */
function orderOf([base, local, remote]: ThreeSides<string[]>, known: ReadonlySet<string>): string[] {
  const hasMoved = (ids: readonly string[]) => {
    const both = ids.filter((id) => known.has(id));
    return !isSame(
      both,
      base.filter((id) => both.includes(id)),
    );
  };
  const anchors = (hasMoved(remote) ? remote : hasMoved(local) ? local : base).filter((id) => known.has(id));
  // Lines that the side which moved some has deleted and the other has edited.
  for (const [index, id] of base.entries()) {
    if (anchors.includes(id)) continue;
    const before = base.slice(0, index).filter((one) => anchors.includes(one));
    anchors.splice(anchors.indexOf(before[before.length - 1] ?? "") + 1, 0, id);
  }
  const runs = [runsAfter(local, known), runsAfter(remote, known)];
  const addedAfter = (anchor: string) =>
    runs
      .map((run) => run.get(anchor) ?? [])
      .sort(([a = ""], [b = ""]) => (a < b ? -1 : 1))
      .flat();
  return [...new Set([...addedAfter(""), ...anchors.flatMap((id) => [id, ...addedAfter(id)])])];
}

/** Added lines by the known line before them; those at the beginning under "". */
function runsAfter(ids: readonly string[], known: ReadonlySet<string>): Map<string, string[]> {
  const runs = new Map<string, string[]>();
  let anchor = "";
  for (const id of ids) {
    if (known.has(id)) anchor = id;
    else runs.set(anchor, [...(runs.get(anchor) ?? []), id]);
  }
  return runs;
}
