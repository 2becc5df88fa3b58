import { useMemo } from "react";
import { Face, type FaceProps } from "./face";
import { randomPortrait } from "./random";

/** A drawn portrait in place of a picture that did not load; always the same one for the same person. */
export function StandIn({ human, ...rest }: FaceProps) {
  const portrait = useMemo(() => human.portrait ?? randomPortrait("unknown", seededBy(human.roleId)), [human]);
  return <Face human={{ ...human, portrait }} {...rest} />;
}

/** Numbers from 0 to below 1 that follow from a text: FNV-1a, then a linear congruence. */
function seededBy(text: string): () => number {
  let state = 2166136261;
  for (const char of text) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 16777619) >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
