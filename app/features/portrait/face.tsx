import { useMemo } from "react";
import type { Human } from "./human";
import type { Viseme } from "./mouth";
import { parsePortrait } from "./parameters";
import { Portrait } from "./portrait";
import { useBlink } from "./use-blink";

export interface FaceProps {
  human: Omit<Human, "voiceUrl">;
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
