import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { trialCopy as words } from "~/copy/home";
import { loadFailureCopy } from "~/copy/site";
import { useAccount } from "~/features/account/provider";
import { readSessionValue, useDraft, writeSessionValue } from "~/features/draft/draft";
import type { Human } from "~/features/portrait/still";
import type { Reference, ReferenceSource } from "~/features/reference/reference";
import { notify } from "~/features/toasts/notify";
import { useCapabilities, useHasCall } from "~/state/capabilities";
import { askToBuy, askToLogIn, rememberAction } from "~/state/dialog-requests";
import { loadAhead } from "~/ui/lazy-part";
import type { EntitlementReason } from "~server/contract/codes";
import type { TrialRunner } from "./run-trial";
import type { Problem, TrialDraft, TrialOptions, TrialState, TrialVoice, VoiceSource } from "./trial-state";

const draftKey = "trial-work";

/** `voicePath` of the last trial of this tab, before a reload has read its result. */
export const findLastVoicePath = () => readSessionValue<TrialDraft>(draftKey)?.wanted?.voicePath;

const loadRunner = () => import("./run-trial");
loadAhead(loadRunner);

/** One trial at a time, resumed after a reload. Its code loads with the first press or for a trial to resume. */
function useTrial(options: TrialOptions) {
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const [shown, setShown] = useState({ trial: { phase: "idle" } as TrialState, announcement: "" });
  const [isPreparing, setPreparing] = useState(false);
  const runner = useRef<TrialRunner | null>(null);

  const openRunner = useCallback(async () => {
    const { TrialRunner } = await loadRunner();
    runner.current ??= new TrialRunner({
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

  /** Starts a trial, or returns what is missing for it. The last result, if nothing was changed, plays for nothing. */
  const start = async (voice: TrialVoice, text: string, humans: readonly Human[]): Promise<Problem | null> => {
    setPreparing(true);
    try {
      const opened = await openRunner();
      return isResultOf(shown.trial, voice, text) ? opened.replay() : opened.start(voice, text, humans);
    } catch {
      notify({ kind: "error", text: loadFailureCopy.sentence });
      return null;
    } finally {
      setPreparing(false);
    }
  };
  return { ...shown, isPreparing, start };
}

/** Whether the trial is done and says this text with this voice. */
export function isResultOf(trial: TrialState, voice: TrialVoice, text: string): boolean {
  if (trial.phase !== "done" || trial.request.content !== text) return false;
  const { voicePath, roleId } = trial.request;
  if (voice.source === "sample") return roleId !== undefined && roleId === voice.roleId;
  return voicePath !== undefined && voicePath === voice.references[voice.source]?.voicePath;
}

/** Selects the first sample if the selected one does not exist. */
export function withDefaultSample(voice: TrialVoice, humans: readonly Human[]): TrialVoice {
  if (humans.some(({ roleId }) => roleId === voice.roleId)) return voice;
  return { ...voice, roleId: humans[0]?.roleId ?? null };
}

const noDraft = {
  text: words.text.examples[0].text as string,
  source: "record" as VoiceSource,
  roleId: null as string | null,
  record: null as Reference | null,
  upload: null as Reference | null,
};

/** The text and the voice of the trial card, restored after a reload with the recordings. */
export function useTrialDraft() {
  const { draft, change, isRestored } = useDraft("trial", noDraft, ["record", "upload"]);
  const { text, source, roleId, ...references } = draft;
  const setters = useMemo(
    () => ({
      setText: (next: string) => change({ text: next }),
      setSource: (next: VoiceSource) => change({ source: next }),
      setRole: (next: string) => change({ source: "sample", roleId: next }),
      setReference: (from: ReferenceSource, reference: Reference | null) => change({ [from]: reference }),
    }),
    [change],
  );
  return { text, voice: { source, roleId, references } satisfies TrialVoice, isRestored, ...setters };
}

/** The trial, with the count that it changes. */
export function useCountedTrial(
  initial: { used: number; max: number },
  options: Pick<TrialOptions, "onUploaded" | "onDone">,
) {
  const { account } = useAccount();
  const { vendors } = useCapabilities();
  const [trials, setTrials] = useState(initial);
  const onRefused = (sentence: string, reason: EntitlementReason | null) => {
    notify({ kind: "error", text: sentence });
    if (!reason) return;
    if (reason === "trial") setTrials(({ max }) => ({ used: max, max }));
    if (account.isLogin) askToBuy({ packageType: "tier" });
    else askToLogIn("trials-used");
  };
  const trial = useTrial({
    ...options,
    onCounted: (used, max) => setTrials({ used, max }),
    onRefused,
    onLoginExpired: () => rememberAction("trials-used"),
    hasVendors: vendors.length > 0,
    hasEvents: useHasCall("taskEvents"),
  });
  const isMember = account.isVip || account.isSvip;
  const left = Math.max(0, trials.max - trials.used);
  return {
    ...trial,
    left: isMember ? words.unlimited : words.left(left, trials.max),
    isUsedUp: !isMember && left === 0,
  };
}
