import { useEffect, useState } from "react";
import { bffPaths, call } from "~/call";
import { voicePickerCopy as words } from "~/copy/square";
import { syncDocument } from "~/state/account-document";
import { useHasCall } from "~/state/capabilities";
import { Notice } from "~/ui/card";
import { Skeleton } from "~/ui/feedback";
import { useStore } from "~/ui/store";
import type { Voice, VoicePage } from "~server/bff/roles.server";
import { type KeptVoice, keep, keptVoices, mergeIntoKept, parseKept, readKeptVoices, refreshKept } from "./kept-voices";
import { type VoiceActions, VoiceRows } from "./voice-row";

/** Brings this browser's kept voices and the account's together. A failure leaves both as they are. */
async function syncKeptVoices(): Promise<void> {
  const kept = await syncDocument<KeptVoice[]>({
    ...{ kind: "voices", projectId: "kept-voices" },
    parse: (document) => parseKept(document.kept),
    toDocument: (voices) => ({ kept: voices }),
    merge: (account) => mergeIntoKept(account ?? []),
  });
  if (kept) keep(kept);
}

/** Reads the kept voices, and those of a member's other devices. */
export function useKeptVoices(isLoggedIn: boolean): void {
  const isInAccount = useHasCall("projectPut") && isLoggedIn;
  useEffect(() => {
    readKeptVoices();
    if (!isInAccount) return;
    let synced: unknown;
    const sync = () =>
      syncKeptVoices().then(
        () => {
          synced = keptVoices.get();
        },
        () => {},
      );
    void sync();
    return () => {
      // A voice was starred or chosen after the sync.
      if (keptVoices.get() !== synced) void sync();
    };
  }, [isInAccount]);
}

/** Ids of the voices that were neither deleted nor withdrawn; null until they are known. A failed check hides none. */
function useUsable(kept: readonly KeptVoice[]): ReadonlySet<string> | null {
  const [usable, setUsable] = useState<ReadonlySet<string> | null>(null);
  const sorted = kept.map(({ voice }) => voice.roleId).sort();
  const key = JSON.stringify(sorted);
  useEffect(() => {
    const ids: string[] = JSON.parse(key);
    if (ids.length === 0) return;
    const closed = new AbortController();
    const check = async () => {
      const { voices } = await call<VoicePage>(bffPaths.keptVoices(ids), { signal: closed.signal });
      refreshKept(voices);
      setUsable(new Set(voices.map(({ roleId }) => roleId)));
    };
    check().catch(() => closed.signal.aborted || setUsable(new Set(ids)));
    return () => closed.abort();
  }, [key]);
  return usable;
}

/** What a script knows of a role that speaks. */
export type ScriptVoice = Pick<Voice, "roleId" | "name" | "avatar"> & { portrait: unknown };

const toVoice = ({ portrait, ...role }: ScriptVoice): Voice => ({
  ...{ describe: "", voiceUrl: "", timelineUrl: "", status: 2 },
  ...{ ...role, portrait: portrait as Voice["portrait"] },
});

interface KeptListProps extends VoiceActions {
  keyword: string;
  scriptVoices: readonly ScriptVoice[];
  chosen: string | null;
  playingId: string | null;
}

/** The voices of the script, the starred ones and the last used ones, each once. */
export function KeptList({ keyword, scriptVoices, ...rows }: KeptListProps) {
  const kept = useStore(keptVoices);
  const usable = useUsable(kept);
  const sought = keyword.toLowerCase();
  const inScript = new Set(scriptVoices.map(({ roleId }) => roleId));
  const others = kept.filter(({ voice }) => !inScript.has(voice.roleId) && usable?.has(voice.roleId));
  const sections = {
    // A kept voice has a preview, a role of a script has none.
    script: scriptVoices.map((role) => kept.find(({ voice }) => voice.roleId === role.roleId)?.voice ?? toVoice(role)),
    starred: others.filter(({ isStarred }) => isStarred).map(({ voice }) => voice),
    recent: others.filter(({ isStarred, usedAt }) => !isStarred && usedAt > 0).map(({ voice }) => voice),
  };
  const shown = (["script", "starred", "recent"] as const).flatMap((name) => {
    const voices = sections[name].filter((voice) => `${voice.name}\n${voice.describe}`.toLowerCase().includes(sought));
    const chosenFirst = voices.sort((a, b) => Number(b.roleId === rows.chosen) - Number(a.roleId === rows.chosen));
    return voices.length > 0 ? [{ name, voices: chosenFirst }] : [];
  });
  if (!usable && kept.length > 0 && shown.length === 0) return <Skeleton className="mt-2 h-[68px]" />;
  if (shown.length === 0)
    return <Notice isBare role="status" sentence={keyword ? words.nothingFound : words.nothingKept} />;
  return shown.map(({ name, voices }) => (
    <section aria-labelledby={`kept-${name}`} className="mt-3" key={name}>
      <h3 className="px-2 pb-1 text-xs font-semibold text-muted" id={`kept-${name}`}>
        {words.sections[name]}
      </h3>
      <ul>
        <VoiceRows voices={voices} {...rows} />
      </ul>
    </section>
  ));
}
