import { useEffect, useState } from "react";
import { createStore, type Store } from "~/ui/store";
import type { LineAudios } from "./dub";
import { isBlank, lineKeyOf, type ScriptLine, toDelivery } from "./editor/script";

/** A rendering of a line: the text, the role and the delivery that it was generated with. */
export interface LineTake {
  /** The line key, which its audio is stored under. */
  key: string;
  line: Pick<ScriptLine, "content" | "roleId" | "speed" | "pitch" | "volume" | "genre" | "ext" | "emotionPath">;
  /** Unix milliseconds. */
  at: number;
}

/** Takes by line id, newest first. */
export type Takes = Store<ReadonlyMap<string, readonly LineTake[]>>;

export const takesMax = 5;

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

/** Reads stored takes without invalid ones. */
export function parseTakes(stored: unknown): Array<[string, LineTake[]]> {
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((entry): Array<[string, LineTake[]]> => {
    if (!Array.isArray(entry) || typeof entry[0] !== "string" || !Array.isArray(entry[1])) return [];
    return [[entry[0], entry[1].filter(isTake).slice(0, takesMax)]];
  });
}

function isTake(value: unknown): value is LineTake {
  const { key, at, line } = (value ?? {}) as Partial<LineTake>;
  return typeof key === "string" && typeof at === "number" && typeof line?.content === "string";
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
