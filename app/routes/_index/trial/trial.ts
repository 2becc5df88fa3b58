import { startTransition, useCallback, useEffect, useRef, useState } from "react";
import { trialCopy as words } from "~/copy/home";
import { loadFailureCopy } from "~/copy/site";
import { readSessionValue, readStoredValue, writeSessionValue, writeStoredValue } from "~/features/draft/draft";
import type { Human } from "~/features/portrait/still";
import type { Reference, ReferenceSource } from "~/features/reference/reference";
import { notify } from "~/features/toasts/notify";
import { loadAhead } from "~/ui/lazy-part";
import type { Problem, TrialDraft, TrialOptions, TrialState, TrialVoice, VoiceSource } from "./trial-state";

const draftKey = "trial-work";

/** `voicePath` of the last trial of this tab, before a reload has read its result. */
export const findLastVoicePath = () => readSessionValue<TrialDraft>(draftKey)?.wanted?.voicePath;

const loadRunner = () => import("./run-trial");
loadAhead(loadRunner);

/** One trial at a time, resumed after a reload. Its code loads with the first press or for a trial to resume. */
export function useTrial(options: TrialOptions) {
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const [shown, setShown] = useState({ trial: { phase: "idle" } as TrialState, announcement: "" });
  const [isPreparing, setPreparing] = useState(false);
  const runner = useRef<ReturnType<typeof import("./run-trial").createTrialRunner> | null>(null);

  const openRunner = useCallback(async () => {
    const { createTrialRunner } = await loadRunner();
    runner.current ??= createTrialRunner({
      options: () => latest.current,
      show: (trial, announcement) => setShown({ trial, announcement }),
      save: (draft) => writeSessionValue(draftKey, draft),
    });
    return runner.current;
  }, []);

  useEffect(() => {
    let isUnmounted = false;
    const { taskId, wanted } = readSessionValue<TrialDraft>(draftKey) ?? {};
    if (taskId && wanted)
      openRunner().then(
        (opened) => (isUnmounted ? undefined : opened.resume({ taskId, wanted })),
        () => {},
      );
    return () => {
      isUnmounted = true;
      runner.current?.abort();
    };
  }, [openRunner]);

  /** Starts a trial, or returns what is missing for it. */
  const start = async (voice: TrialVoice, text: string, humans: readonly Human[]): Promise<Problem | null> => {
    setPreparing(true);
    try {
      return (await openRunner()).start(voice, text, humans);
    } catch {
      notify({ kind: "error", text: loadFailureCopy.sentence });
      return null;
    } finally {
      setPreparing(false);
    }
  };
  return { ...shown, isPreparing, start };
}

/** Selects the first sample if the selected one does not exist. */
export function withDefaultSample(voice: TrialVoice, humans: readonly Human[]): TrialVoice {
  if (humans.some(({ roleId }) => roleId === voice.roleId)) return voice;
  return { ...voice, roleId: humans[0]?.roleId ?? null };
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
  const [text, setText] = useState<string>(words.text.examples[0].text);
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
