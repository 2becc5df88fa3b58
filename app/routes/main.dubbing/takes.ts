import { useEffect, useState } from "react";
import { createStore, type Store } from "~/ui/store";
import type { LineAudios } from "./dub";
import { isBlank, lineKeyOf, type ScriptLine, toDelivery } from "./editor/script";
import { type LineTake, takesMax } from "./stored-draft";

/** Takes by line id, newest first. */
export type Takes = Store<ReadonlyMap<string, readonly LineTake[]>>;

/** The fields of a line that a take restores. */
export const toTakeLine = (line: ScriptLine): LineTake["line"] => ({
  ...toDelivery(line),
  content: line.content,
  roleId: line.roleId,
});

/** Adds the present rendering of each generated line. Returns the same map if there is no new one. */
export function withTakes(
  takes: ReadonlyMap<string, readonly LineTake[]>,
  lines: readonly ScriptLine[],
  audios: Pick<LineAudios, "has">,
  nowMs: number,
): ReadonlyMap<string, readonly LineTake[]> {
  const added = lines.flatMap((line): Array<[string, LineTake[]]> => {
    const key = lineKeyOf(line);
    const known = takes.get(line.id) ?? [];
    if (isBlank(line) || !audios.has(key) || known.some((take) => take.key === key)) return [];
    // A take whose audio was deleted makes room first.
    const audible = known.filter((take) => audios.has(take.key));
    return [[line.id, [{ key, line: toTakeLine(line), at: nowMs }, ...audible].slice(0, takesMax)]];
  });
  return added.length === 0 ? takes : new Map([...takes, ...added]);
}

/** The takes of the lines, outside of React; new ones are added when lines get audio. */
export function useTakes(
  initial: ReadonlyMap<string, readonly LineTake[]>,
  lines: readonly ScriptLine[],
  audios: LineAudios,
): Takes {
  const [takes] = useState(() => createStore(initial));
  useEffect(() => takes.set(withTakes(takes.get(), lines, audios, Date.now())), [takes, lines, audios]);
  return takes;
}
