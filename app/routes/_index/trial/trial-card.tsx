import { Link, useNavigate, useSearchParams } from "@remix-run/react";
import { type ComponentProps, type RefObject, Suspense, startTransition, useEffect, useRef, useState } from "react";
import { trialCopy as words } from "~/copy/home";
import { noScriptCopy } from "~/copy/pages";
import { cloningSentence } from "~/copy/recording";
import { useAccount } from "~/features/account/provider";
import { usePlayer } from "~/features/player/provider";
import { previewOf } from "~/features/player/use-previews";
import type { Human } from "~/features/portrait/still";
import { paths } from "~/paths";
import { useCapabilities, useHasCall } from "~/state/capabilities";
import { askToBuy, askToLogIn, usePendingAction } from "~/state/dialog-requests";
import { Button, useRestoredFocus } from "~/ui/button";
import { LiveRegion, NoScript } from "~/ui/feedback";
import { lazyPart } from "~/ui/lazy-part";
import { usePressWhenReady } from "~/ui/store";
import { findLastVoicePath, isResultOf, useCountedTrial, useTrialDraft, withDefaultSample } from "./trial";
import type { Problem, TrialState, TrialVoice } from "./trial-state";
import { TextStep, VoiceStep } from "./trial-steps";

const TrialResult = lazyPart(async () => ({ default: (await import("./trial-result")).TrialResult }));

interface TrialCardProps {
  humans: readonly Human[];
  trials: { used: number; max: number };
}

/** The server's alone: React in the browser leaves `noscript` as it is, and the page loads 1.3 kB of words less. */
const noScriptWords = import.meta.env.SSR
  ? { sentence: noScriptCopy.clone, link: noScriptCopy.toSquare, to: paths.square }
  : { sentence: "" };

/** Speaks a text with a chosen voice, without an account. */
export function TrialCard({ humans, trials: initialTrials }: TrialCardProps) {
  const player = usePlayer();
  const navigate = useNavigate();
  const { account } = useAccount();
  const hasProofs = useHasCall("proofPrompt");
  const { text, voice: restored, isRestored, setText, setSource, setRole, setReference } = useTrialDraft();
  const voice = withDefaultSample(restored, humans);
  useVoiceOfAddress(setRole);
  const [problem, setProblem] = useState<Problem | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const { vendors } = useCapabilities();
  const { left, isUsedUp, trial, announcement, isPreparing, start } = useCountedTrial(initialTrials, {
    onUploaded: (reference) => voice.source !== "sample" && setReference(voice.source, reference),
    onDone: (track) => player.play(track),
  });
  const panel = useScrollIntoView(trial.phase);
  const goText = isResultOf(trial, voice, text) ? words.again : words.go;
  const { isWaiting, press } = usePressWhenReady(() => void submit());
  const isRunning = isWaiting || isPreparing || trial.phase === "uploading" || trial.phase === "running";
  const problemAt = (where: Problem["where"]) => (problem?.where === where ? problem.sentence : null);
  const clearing = clearingProblem(() => setProblem(null));

  const submit = async () => {
    if (isUsedUp) return account.isLogin ? askToBuy({ packageType: "tier" }) : askToLogIn("trials-used");
    const found = await start(voice, text, humans);
    setProblem(found);
    if (found?.where === "text") field.current?.focus();
  };
  const save = () => {
    if (!account.isLogin) return askToLogIn("save-role");
    const voicePath = trial.phase === "done" ? trial.request.voicePath : findLastVoicePath();
    navigate(paths.roleNew(voicePath ? { voicePath } : {}));
  };
  usePendingAction(isRestored, { "trials-used": submit, "save-role": save });

  return (
    <section
      aria-label={words.label}
      className="card scroll-mt-20 px-3.5 pb-3.5 pt-1.5 shadow-card md:p-6 md:pt-3"
      id="trial"
    >
      <NoScript {...noScriptWords} />
      <VoiceStep
        humans={humans}
        onPlay={() => player.isPlaying && player.toggle()}
        onReference={clearing(setReference)}
        onRole={clearing((human: Human) => {
          setRole(human.roleId);
          if (human.voiceUrl) player.play(previewOf(human));
        })}
        onSource={clearing(setSource)}
        problem={problemAt("voice")}
        voice={voice}
      />
      <TextStep field={field} onText={clearing(setText)} problem={problemAt("text")} text={text} />
      <TrialFoot
        action={isUsedUp ? words.usedUp[account.isLogin ? "member" : "visitor"] : goText}
        isRunning={isRunning}
        left={left}
        onPress={press}
        recordingTerms={voice.source === "sample" ? [] : [cloningSentence(vendors), ...(hasProofs ? [words.kept] : [])]}
      />
      <LiveRegion>{announcement}</LiveRegion>
      <div className="scroll-mb-[calc(var(--tabbar)+9rem)]" ref={panel}>
        {trial.phase !== "idle" && (
          <TrialPanel
            field={field}
            onRetry={submit}
            onSave={trial.phase === "done" && trial.request.voicePath ? save : null}
            original={findOriginal(trial, voice)}
            trial={trial}
          />
        )}
      </div>
    </section>
  );
}

/** An edit clears the problem. */
const clearingProblem =
  (clear: () => void) =>
  <Args extends unknown[]>(change: (...args: Args) => void) =>
  (...args: Args) => {
    clear();
    change(...args);
  };

interface TrialFootProps {
  action: string;
  isRunning: boolean;
  onPress(): void;
  left: string;
  recordingTerms: string[];
}

function TrialFoot({ action, isRunning, onPress, ...terms }: TrialFootProps) {
  return (
    <div className="stays-in-view -mx-3.5 flex flex-col gap-2 border-t border-dashed border-line bg-surface px-3.5 pb-2 pt-3 text-center md:mx-0 md:pb-0 md:flex-row md:items-center md:gap-4 md:px-0 md:text-left">
      <Button kind="primary" onClick={onPress} pending={isRunning} size="large">
        {isRunning ? words.working : action}
      </Button>
      <TrialTerms {...terms} />
    </div>
  );
}

function TrialTerms({ left, recordingTerms }: { left: string; recordingTerms: string[] }) {
  return (
    <p className="text-xs text-muted">
      <span className="tabular block text-ink">{left}</span>
      {recordingTerms.map((term) => (
        <span key={term}>{`${term}\u00a0· `}</span>
      ))}
      <Link className="whitespace-nowrap underline underline-offset-4 hover:text-ink" to={paths.service}>
        {words.terms}
      </Link>
    </p>
  );
}

interface TrialPanelProps extends Omit<ComponentProps<typeof TrialResult>, "onAgain"> {
  field: RefObject<HTMLTextAreaElement>;
}

function TrialPanel({ field, ...result }: TrialPanelProps) {
  const selectText = () => {
    field.current?.select();
    field.current?.scrollIntoView({ block: "center" });
  };
  return (
    <Suspense fallback={<div className="mt-3.5 min-h-[168px] rounded bg-wash sm:min-h-[136px]" />}>
      <TrialResult {...result} onAgain={selectText} />
    </Suspense>
  );
}

/** The recording that the result's voice was learned from; null for public voices and once it is recorded again. */
function findOriginal(trial: TrialState, { references }: TrialVoice): Blob | null {
  const path = trial.phase === "done" ? trial.request.voicePath : undefined;
  const found = path && Object.values(references).find((one) => one?.voicePath === path);
  return found ? found.sound : null;
}

/** Chooses the voice that a link to the trial names. */
function useVoiceOfAddress(setRole: (roleId: string) => void) {
  const named = useSearchParams()[0].get("voice");
  useEffect(() => {
    // An urgent update would restart the hydration of the card.
    if (named) startTransition(() => setRole(named));
  }, [named, setRole]);
}

/** Scrolls the result into view when the phase changes. */
function useScrollIntoView(phase: TrialState["phase"]) {
  const panel = useRestoredFocus<HTMLDivElement>();
  useEffect(() => {
    if (phase === "idle") return;
    const isReduced = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    panel.current?.scrollIntoView({ block: "nearest", behavior: isReduced ? "auto" : "smooth" });
  }, [phase, panel]);
  return panel;
}
