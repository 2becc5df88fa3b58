import { useEffect, useMemo, useState } from "react";
import type { Viseme } from "./mouth";
import { parsePortrait, randomPortrait } from "./parameters";
import { Portrait } from "./portrait";

export interface FaceProps {
  human: { roleId: string; name: string; portrait?: unknown };
  isSpeaking?: boolean;
  /** The mouth while it speaks; simply open where nothing tells. */
  viseme?: Viseme | undefined;
}

/** The drawn portrait, alive: it blinks, and its mouth moves while it speaks. The first character of the name where there is none. */
export function Face({ human, isSpeaking = false, viseme = "aa" }: FaceProps) {
  const portrait = useMemo(() => parsePortrait(human.portrait), [human.portrait]);
  const blink = useBlink();
  if (portrait)
    return (
      <Portrait
        blink={blink}
        className="block h-full w-full"
        portrait={portrait}
        viseme={isSpeaking ? viseme : "sil"}
      />
    );
  return (
    <div aria-hidden="true" className="grid h-full w-full place-items-center bg-wash font-song text-3xl text-muted">
      {[...human.name][0] ?? ""}
    </div>
  );
}

/** How long the lids stay down. */
export const closedMs = 130;

/** People blink every two to six seconds, now and then twice in a row. `random` is 0 to 1. */
export function untilNextBlinkMs(random: () => number): number {
  const isDouble = random() < 0.12;
  return isDouble ? 160 + 80 * random() : 2000 + 4000 * random() ** 1.4;
}

/** Whether the lids are down just now; never for people who asked for less motion. */
export function useBlink(): boolean {
  const [isClosed, setClosed] = useState(false);
  useEffect(() => {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const inMs = isClosed ? closedMs : untilNextBlinkMs(Math.random);
    const timer = setTimeout(() => setClosed(!isClosed), inMs);
    return () => clearTimeout(timer);
  }, [isClosed]);
  return isClosed;
}

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
