import type { Refusal } from "~/call";
import { sentenceFor } from "~/copy/errors";
import { proofCopy as words } from "~/copy/proof";
import { Button, useRestoredFocus } from "~/ui/button";
import { Fault, LiveRegion, Skeleton } from "~/ui/feedback";
import { Icon } from "~/ui/icons/icon";
import { PromptReader, PromptText } from "./prompt-reader";
import { AnotherPrompt, AnsweredStep, Outcome, RefusedStep } from "./proof-outcomes";
import type { Reference } from "./reference";
import { type ProofPrompt, type ProofState, usePromptReading, type useProof, useSecondsLeft } from "./use-proof";

interface ProofStepsProps {
  proof: ReturnType<typeof useProof>;
  /** Something is about to play or record: other playback should pause. */
  onPlay(): void;
  /** The voice is proven, or operators were asked. */
  onDone(): void;
  /** Label of the button after a successful proof. */
  doneLabel?: string | undefined;
  /** Whether the prompt can be played: that needs an account. */
  canListen: boolean;
  /** Name of the role whose voice can be recorded again; without it no link leads there. */
  name?: string | undefined;
}

/** A proof from the prompt to its answer, another try or a review; the caller frames it. */
export function ProofSteps({ proof, onPlay, onDone, doneLabel = words.done, canListen, name }: ProofStepsProps) {
  const { state, ask, judge, askReview, expire } = proof;
  const content = useRestoredFocus<HTMLDivElement>();
  return (
    <>
      <div className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-4" ref={content}>
        {state.step === "loading" && <PromptSkeleton />}
        {state.step === "reading" && (
          <ReadingStep
            canListen={canListen}
            onExpired={expire}
            onPlay={onPlay}
            onReference={(reference) => void judge(state.prompt, reference)}
            prompt={state.prompt}
            refusal={state.refusal}
          />
        )}
        {state.step === "judging" && <JudgingStep prompt={state.prompt} />}
        {state.step === "expired" && (
          <Outcome sentence={words.expired}>
            <AnotherPrompt onAsk={ask} />
          </Outcome>
        )}
        {state.step === "refused" && (
          <RefusedStep name={name} onAsk={ask} onReview={askReview} refusal={state.refusal} />
        )}
        {state.step === "answered" && (
          <AnsweredStep
            doneLabel={doneLabel}
            onAsk={ask}
            onDone={onDone}
            onReview={() => askReview(state.promptId)}
            result={state.result}
          />
        )}
        {name !== undefined && isStuck(state) && <p className="text-sm text-muted">{words.toSpeaker}</p>}
        {state.step === "review-asked" && (
          <Outcome isGood sentence={words.reviewAsked}>
            <Button kind="primary" onClick={onDone}>
              {words.done}
            </Button>
          </Outcome>
        )}
      </div>
      <LiveRegion>{announcementOf(state)}</LiveRegion>
    </>
  );
}

/** No try is left for now: the recording may be another person's. */
function isStuck(state: ProofState): boolean {
  if (state.step === "refused") return state.refusal.code === "proof-paused";
  return state.step === "answered" && state.result.outcome !== "yes" && state.result.triesLeft === 0;
}

function announcementOf(state: ProofState): string {
  if (state.step === "loading") return words.loading;
  if (state.step === "reading") return state.refusal ? "" : words.announcements.ready;
  if (state.step === "judging") return words.judging;
  return "";
}

function PromptSkeleton() {
  return (
    <>
      <Skeleton className="h-[188px] w-full" />
      <Skeleton className="h-[52px] w-44 rounded-full" />
    </>
  );
}

interface ReadingStepProps {
  prompt: ProofPrompt;
  refusal: Refusal | undefined;
  canListen: boolean;
  onReference(reference: Reference): void;
  onExpired(): void;
  onPlay(): void;
}

function ReadingStep({ prompt, refusal, canListen, onReference, onExpired, onPlay }: ReadingStepProps) {
  const left = useSecondsLeft(prompt, onExpired);
  const { reading, start, stop } = usePromptReading(prompt);
  const listen = () => {
    onPlay();
    start();
  };
  return (
    <>
      <Fault className="text-sm">{refusal && sentenceFor(refusal)}</Fault>
      <PromptReader
        onReference={onReference}
        onStart={() => {
          stop();
          onPlay();
        }}
        prompt={prompt}
      >
        {canListen && (
          <Button
            icon={<Icon name={reading === "playing" ? "stop" : "play"} size={18} />}
            kind="quiet"
            onClick={reading === "playing" ? stop : listen}
            pending={reading === "loading"}
          >
            {reading === "playing" ? words.listening : words.listen}
          </Button>
        )}
      </PromptReader>
      <Fault className="text-xs">{reading === "failed" && words.unheard}</Fault>
      <p className="tabular flex flex-wrap gap-x-4 gap-y-1 border-t border-dashed border-line pt-3 text-xs text-muted">
        <span>{words.triesLeft(prompt.triesLeft)}</span>
        <span>{words.validFor(left)}</span>
      </p>
      <p className="-mt-2 text-xs text-muted">{words.note}</p>
    </>
  );
}

function JudgingStep({ prompt }: { prompt: ProofPrompt | undefined }) {
  return (
    <>
      {prompt && <PromptText {...prompt} />}
      <p className="flex min-h-[52px] items-center gap-3 text-sm">
        <Icon className="shrink-0 animate-spin text-seal" name="spinner" />
        <span>
          {words.judging}
          <span className="block text-muted">{words.judgingHint}</span>
        </span>
      </p>
    </>
  );
}
