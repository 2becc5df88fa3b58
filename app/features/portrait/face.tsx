import { useMemo } from "react";
import type { Human } from "./human";
import type { Viseme } from "./mouth";
import { parsePortrait } from "./parameters";
import { Portrait } from "./portrait";

interface FaceProps {
  human: Omit<Human, "voiceUrl">;
  isSpeaking?: boolean;
  /** The mouth while it speaks; simply open where nothing tells. */
  viseme?: Viseme | undefined;
}

/** The drawn portrait with a mouth that moves, or the first character of the name. */
export function Face({ human, isSpeaking = false, viseme = "aa" }: FaceProps) {
  const portrait = useMemo(() => parsePortrait(human.portrait), [human.portrait]);
  if (portrait)
    return <Portrait className="block h-full w-full" portrait={portrait} viseme={isSpeaking ? viseme : "sil"} />;
  return (
    <div aria-hidden="true" className="grid h-full w-full place-items-center bg-wash font-song text-3xl text-muted">
      {[...human.name][0] ?? ""}
    </div>
  );
}
