import { useCallback, useState } from "react";
import { editorCopy } from "~/copy/dubbing";
import type { Speaker } from "./editor/state";

/** Everybody who may speak in the script, by id: those of the draft, of the account, of the square. */
export function useSpeakers(...known: Array<readonly Speaker[]>) {
  const [speakers, setSpeakers] = useState<ReadonlyMap<string, Speaker>>(
    () => new Map(known.flat().map((speaker) => [speaker.roleId, toSpeaker(speaker)])),
  );
  const know = useCallback((fresh: readonly Speaker[]) => {
    setSpeakers((now) => new Map([...now, ...fresh.map((one): [string, Speaker] => [one.roleId, toSpeaker(one)])]));
  }, []);
  return { speakers, know, nameOf: (roleId: string) => speakers.get(roleId)?.name ?? editorCopy.goneRole };
}

const toSpeaker = ({ roleId, name, avatar, portrait }: Speaker): Speaker => ({ roleId, name, avatar, portrait });
