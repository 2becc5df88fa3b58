import { useRef } from "react";
import type { ScriptLine } from "./script";

/** The lines' ids in order; the same array as long as they are, so that typing moves nothing else. */
export function useIds(lines: readonly ScriptLine[]): string[] {
  const ids = useRef<string[]>([]);
  const isSame = ids.current.length === lines.length && lines.every(({ id }, index) => ids.current[index] === id);
  if (!isSame) ids.current = lines.map(({ id }) => id);
  return ids.current;
}
