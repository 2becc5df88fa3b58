import { useCallback, useState } from "react";
import { editorCopy } from "~/copy/dubbing";
import type { Speaker } from "./editor/script";
import type { ScriptStore } from "./editor/store";

/** The roles that can speak in the script: of the draft, the account and the square. */
export function useCast(store: ScriptStore, initial: readonly Speaker[], fallbackRoleId: string) {
  const [speakers, setSpeakers] = useState<ReadonlyMap<string, Speaker>>(() => new Map(initial.map(toEntry)));
  const addSpeakers = useCallback((added: readonly Speaker[]) => {
    setSpeakers((now) => new Map([...now, ...added.map(toEntry)]));
  }, []);
  return {
    speakers,
    addSpeakers,
    nameOf: (roleId: string) => speakers.get(roleId)?.name ?? editorCopy.goneRole,
    /** For lines without a role of their own. */
    defaultRoleId: () => store.get().lines.find(({ roleId }) => roleId)?.roleId ?? fallbackRoleId,
  };
}

export type Cast = ReturnType<typeof useCast>;

const toEntry = ({ roleId, name, avatar, portrait }: Speaker): [string, Speaker] => [
  roleId,
  { roleId, name, avatar, portrait },
];
