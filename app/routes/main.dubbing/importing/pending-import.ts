import { readDraft, writeDraft } from "~/features/draft/draft";
import { createLine, deliveryOf, isBlank, type Script, type ScriptLine } from "../editor/script";
import { castLines, type Decision, type RoughLine } from "./parse-script";

/** Where the lines go: behind a line, whose own words up to `from` and from `to` on stay around them. */
export interface Spot {
  id: string;
  from: number;
  to: number;
  /** The line's words then: places in other words mean nothing. */
  content: string;
}

/** A script on its way into the editor. */
export interface Coming {
  lines: RoughLine[];
  spot: Spot | null;
  title: string;
}

const storageKey = "dubbing-coming";

/** What is still on its way outlives a reload. */
export const readComing = (): Coming[] => readDraft<{ waiting: Coming[] }>(storageKey)?.waiting ?? [];
export const keepComing = (waiting: readonly Coming[]) => writeDraft(storageKey, { waiting });

export type Way = "replace" | "append";

interface Putting {
  decisions: ReadonlyMap<string, Decision>;
  way: Way;
  /** Who speaks where nobody is named and no line is there to go by. */
  narrator: string;
}

/** The script with these lines in it, as long as it may get, and the lines that came. */
export function withComing(
  script: Script,
  { lines: rough, spot, title }: Coming,
  { decisions, way, narrator }: Putting,
) {
  const base = script.lines.find(({ id }) => id === spot?.id);
  const fresh = castLines(rough, decisions, base?.roleId || narrator).map((line) =>
    createLine({ ...(base && base.roleId === line.roleId ? deliveryOf(base) : {}), ...line }),
  );
  const lines = way === "replace" ? fresh : around(script.lines, fresh, spot);
  return { script: { title: script.title || title, lines }, fresh };
}

/** The script with fresh lines in their spot; empty lines beside them go. */
function around(lines: readonly ScriptLine[], fresh: readonly ScriptLine[], spot: Spot | null): ScriptLine[] {
  const index = spot ? lines.findIndex(({ id }) => id === spot.id) : lines.length - 1;
  const base = lines[index];
  if (!base) return [...lines, ...fresh];
  // Who went on writing there meanwhile keeps every word.
  const isAsThen = spot !== null && base.content === spot.content;
  const before = { ...base, content: isAsThen ? base.content.slice(0, spot.from) : base.content };
  const behind = createLine({ ...base, id: undefined, content: isAsThen ? base.content.slice(spot.to) : "" });
  const parts = [before, ...fresh, behind].filter((line) => !isBlank(line));
  return [...lines.slice(0, index), ...parts, ...lines.slice(index + 1)];
}
