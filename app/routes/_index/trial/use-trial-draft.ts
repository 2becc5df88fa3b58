import { startTransition, useCallback, useEffect, useState } from "react";
import { trialCopy } from "~/copy/home";
import { readSessionValue, readStoredValue, writeSessionValue, writeStoredValue } from "~/features/draft/draft";
import type { Reference, ReferenceSource } from "~/features/reference/reference";
export type VoiceSource = ReferenceSource | "sample";

export interface TrialVoice {
  source: VoiceSource;
  /** One reference per source, so that switching the source loses nothing. */
  references: Record<ReferenceSource, Reference | null>;
  roleId: string | null;
}

const voiceKey = "trial-voice";
const textKey = "trial-text";
const soundKey = (source: ReferenceSource) => `trial-${source}`;
interface VoiceDraft {
  source: VoiceSource;
  roleId: string | null;
  kept: string[];
}

const noVoice: TrialVoice = { source: "record", references: { record: null, upload: null }, roleId: null };

/** The voice of the trial card, restored after a reload with its recordings. */
export function useTrialVoice() {
  const [voice, setVoice] = useState(noVoice);
  const [isRestored, setRestored] = useState(false);

  useEffect(() => {
    let isUnmounted = false;
    void restoreVoice().then((restored) => {
      if (isUnmounted) return;
      // A plain update would discard the panel that is still hydrating.
      startTransition(() => {
        if (restored) setVoice((now) => (now === noVoice ? restored : merge(restored, now)));
        setRestored(true);
      });
    });
    return () => {
      isUnmounted = true;
    };
  }, []);

  useEffect(() => {
    if (!isRestored) return;
    const kept = (["record", "upload"] as const).filter((source) => voice.references[source]);
    writeSessionValue(voiceKey, { source: voice.source, roleId: voice.roleId, kept } satisfies VoiceDraft);
  }, [voice, isRestored]);

  const setSource = useCallback((source: VoiceSource) => setVoice((now) => ({ ...now, source })), []);
  const setRole = useCallback((roleId: string) => setVoice((now) => ({ ...now, source: "sample", roleId })), []);
  const setReference = useCallback((source: ReferenceSource, reference: Reference | null) => {
    setVoice((now) => ({ ...now, references: { ...now.references, [source]: reference } }));
    void writeStoredValue(soundKey(source), reference);
  }, []);

  return { voice, isRestored, setSource, setRole, setReference };
}

/** Choices made before the draft was restored win. */
const merge = (restored: TrialVoice, { source, roleId, references }: TrialVoice): TrialVoice => ({
  source,
  roleId: roleId ?? restored.roleId,
  references: {
    record: references.record ?? restored.references.record,
    upload: references.upload ?? restored.references.upload,
  },
});

async function restoreVoice(): Promise<TrialVoice | null> {
  const draft = readSessionValue<VoiceDraft>(voiceKey);
  if (!draft) return null;
  const readSound = (source: ReferenceSource) =>
    draft.kept?.includes(source) ? readStoredValue<Reference>(soundKey(source)) : null;
  const [record, upload] = await Promise.all([readSound("record"), readSound("upload")]);
  return { source: draft.source ?? "record", roleId: draft.roleId ?? null, references: { record, upload } };
}

/** The text of the trial card: an example at first, the written text after a reload. */
export function useTrialText() {
  const [text, setText] = useState<string>(trialCopy.text.examples[0].text);
  useEffect(() => {
    const saved = readSessionValue<{ text: string }>(textKey)?.text;
    // A plain update would discard the panel that is still hydrating.
    if (typeof saved === "string") startTransition(() => setText(saved));
  }, []);
  const write = (next: string) => {
    setText(next);
    writeSessionValue(textKey, { text: next });
  };
  return [text, write] as const;
}
