import { startTransition, useCallback, useEffect, useState } from "react";
import { readSessionValue, readStoredValue, writeSessionValue, writeStoredValue } from "~/features/draft/draft";
import type { Reference } from "~/features/reference/reference";

export type VoiceSource = "record" | "upload" | "sample";

export interface Voice {
  source: VoiceSource;
  /** One for each way of bringing one's own voice; switching between them loses nothing. */
  references: Record<"record" | "upload", Reference | null>;
  roleId: string | null;
}

const draftKey = "trial-voice";
const soundKey = (source: "record" | "upload") => `trial-${source}`;
interface Draft {
  source: VoiceSource;
  roleId: string | null;
  kept: string[];
}

const nothing: Voice = { source: "record", references: { record: null, upload: null }, roleId: null };

/** The voice of the trial card; survives a reload, the recorded sound included. */
export function useVoice() {
  const [voice, setVoice] = useState(nothing);
  const [isRestored, setRestored] = useState(false);

  useEffect(() => {
    let isGone = false;
    void restore().then((restored) => {
      if (isGone) return;
      // A plain update would throw away the panel that is still hydrating.
      startTransition(() => {
        if (restored) setVoice((now) => (now === nothing ? restored : within(restored, now)));
        setRestored(true);
      });
    });
    return () => {
      isGone = true;
    };
  }, []);

  useEffect(() => {
    if (!isRestored) return;
    const kept = (["record", "upload"] as const).filter((source) => voice.references[source]);
    writeSessionValue(draftKey, { source: voice.source, roleId: voice.roleId, kept } satisfies Draft);
  }, [voice, isRestored]);

  const setSource = useCallback((source: VoiceSource) => setVoice((now) => ({ ...now, source })), []);
  const setRole = useCallback((roleId: string) => setVoice((now) => ({ ...now, source: "sample", roleId })), []);
  const setReference = useCallback((source: "record" | "upload", reference: Reference | null) => {
    setVoice((now) => ({ ...now, references: { ...now.references, [source]: reference } }));
    void writeStoredValue(soundKey(source), reference);
  }, []);

  return { voice, isRestored, setSource, setRole, setReference };
}

/** What was chosen before the old draft arrived stays chosen. */
const within = (restored: Voice, { source, roleId, references }: Voice): Voice => ({
  source,
  roleId: roleId ?? restored.roleId,
  references: {
    record: references.record ?? restored.references.record,
    upload: references.upload ?? restored.references.upload,
  },
});

async function restore(): Promise<Voice | null> {
  const draft = readSessionValue<Draft>(draftKey);
  if (!draft) return null;
  const sound = (source: "record" | "upload") =>
    draft.kept?.includes(source) ? readStoredValue<Reference>(soundKey(source)) : null;
  const [record, upload] = await Promise.all([sound("record"), sound("upload")]);
  return { source: draft.source ?? "record", roleId: draft.roleId ?? null, references: { record, upload } };
}
