/** One line of a pasted or opened script, before anybody decided who speaks it. */
export interface RoughLine {
  /** As written before the colon; null where nobody is named. */
  name: string | null;
  /** The words, without the name. */
  text: string;
  startMs?: number;
  endMs?: number;
}

const nameMax = 12;
/** No name has punctuation, blanks inside or digits alone; 【小满】, [小满] and （小满） are written for names too. */
const named = /^\s*(?:[【[「『(（]\s*)?(?<name>[\p{L}\p{N}·•・_-]{1,20}?)\s*(?:[】\]」』)）]\s*)?[：:]\s*(?<text>.*)$/u;
const bracketed = /^\s*[【[]\s*(?<name>[\p{L}\p{N}·•・_-]{1,20}?)\s*[】\]]\s*[：:]?\s*(?<text>\S.*)$/u;

/** `角色：台词`, `【角色】台词`: who speaks and what; a time, an address or a long clause before a colon is no name. */
export function parseSpeaker(line: string): RoughLine {
  const found = (bracketed.exec(line) ?? named.exec(line))?.groups;
  const { name = "", text = "" } = found ?? {};
  const isName = found && [...name].length <= nameMax && !/^\d+$/.test(name) && !/^(https?|ftp|mailto)$/i.test(name);
  const isTime = /^\s*\d{1,2}[：:]\d{2}/.test(line);
  if (!isName || isTime || text.startsWith("//")) return { name: null, text: line.trim() };
  return { name, text: text.trim() };
}

/** A script as text: one line each, empty ones left out. A name alone on its line speaks the line behind it. */
export function parseScriptText(text: string): RoughLine[] {
  const lines: RoughLine[] = [];
  let waiting: { name: string; raw: string } | null = null;
  /** Nobody spoke after a name: then it was no name. */
  const giveUp = () => {
    if (waiting) lines.push({ name: null, text: waiting.raw });
    waiting = null;
  };
  for (const raw of text.split(/\r\n|[\n\r\u2028\u2029\v\f]/)) {
    if (raw.trim() === "") continue;
    const line = parseSpeaker(raw);
    if (line.name !== null) giveUp();
    if (line.name !== null && line.text === "") {
      waiting = { name: line.name, raw: raw.trim() };
      continue;
    }
    lines.push(waiting ? { ...line, name: waiting.name } : line);
    waiting = null;
  }
  giveUp();
  return lines;
}

/** Every name of a script once, in the order they appear. */
export const namesOf = (lines: readonly RoughLine[]): string[] => [
  ...new Set(lines.flatMap(({ name }) => (name === null ? [] : [name]))),
];

interface Known {
  roleId: string;
  name: string;
}

/** The roles that are called exactly that; the first of two with one name. */
export function matchNames(names: readonly string[], roles: readonly Known[]): Map<string, string> {
  const byName = new Map<string, string>();
  for (const { name, roleId } of roles) if (!byName.has(fold(name))) byName.set(fold(name), roleId);
  return new Map(
    names.flatMap((name) => {
      const roleId = byName.get(fold(name));
      return roleId === undefined ? [] : [[name, roleId] as const];
    }),
  );
}

const fold = (name: string) => name.normalize("NFKC").trim().toLowerCase();

/** What somebody decided about a name: a role, or that it is no name and is read out with its line. */
export type Decision = { roleId: string } | "words";

/** The words and the role of every line; where nobody is named, the role that speaks otherwise. */
export function castLines(
  lines: readonly RoughLine[],
  decisions: ReadonlyMap<string, Decision>,
  otherwise: string,
): Array<{ roleId: string; content: string; startMs?: number; endMs?: number }> {
  return lines.map(({ name, text, ...times }) => {
    const decision = name === null ? undefined : decisions.get(name);
    if (name === null || decision === undefined) return { roleId: otherwise, content: text, ...times };
    if (decision === "words") return { roleId: otherwise, content: `${name}：${text}`, ...times };
    return { roleId: decision.roleId, content: text, ...times };
  });
}
