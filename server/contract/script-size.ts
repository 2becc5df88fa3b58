import { scriptCharactersMax } from "./limits";

/** What a script has more characters of than it may; `line` counted from 0, null where it is the whole. */
export interface ScriptExcess {
  line: number | null;
  need: number;
  limit: number;
}

interface Allowed {
  tier: "vip" | "svip" | null;
  /** Characters per generation. */
  limit: number;
}

/**
 * Members' scripts are bounded line by line, because a line is a generation, and as a whole by `scriptCharactersMax`. Without
 * a tier one trial makes one generation, so the whole script has room for one. `lines` are the characters of each line.
 */
export function findScriptExcess(lines: readonly number[], { tier, limit }: Allowed): ScriptExcess | null {
  const total = lines.reduce((sum, characters) => sum + characters, 0);
  if (tier === null) return total > limit ? { line: null, need: total, limit } : null;
  const line = lines.findIndex((characters) => characters > limit);
  if (line >= 0) return { line, need: lines[line] as number, limit };
  return total > scriptCharactersMax ? { line: null, need: total, limit: scriptCharactersMax } : null;
}
