import { Link } from "@remix-run/react";
import { type ReactNode, useState } from "react";
import type { Refusal } from "~/call";
import { sentenceFor } from "~/copy/errors";
import { proofFaultSentence, proofCopy as words } from "~/copy/proof";
import { paths } from "~/paths";
import { Button, buttonClass } from "~/ui/button";
import { Icon } from "~/ui/icons/icon";
import type { ProofResult } from "./use-proof";

interface OutcomeProps {
  sentence: string;
  isGood?: boolean;
  detail?: string | undefined;
  children: ReactNode;
}

/** Outcome of a step with the actions that can follow. */
export function Outcome({ sentence, isGood = false, detail, children }: OutcomeProps) {
  return (
    <>
      <div className="flex items-start gap-3 rounded bg-wash px-4 py-4" role={isGood ? "status" : "alert"}>
        <Icon
          className={`mt-0.5 shrink-0 ${isGood ? "text-celadon" : "text-seal"}`}
          name={isGood ? "check" : "alert"}
        />
        <div className="grid gap-1">
          <p>{sentence}</p>
          {detail && <p className="text-sm text-muted">{detail}</p>}
        </div>
      </div>
      <div className="flex flex-wrap gap-3">{children}</div>
    </>
  );
}

/** Ends the present prompt and asks for a new one. */
export function AnotherPrompt({ onAsk }: { onAsk(): void }) {
  return (
    <Button kind="primary" onClick={onAsk}>
      <Icon name="retake" size={18} />
      {words.another}
    </Button>
  );
}

/** Asks operators to listen to the last recording. */
function ReviewButton({ onReview }: { onReview(): Promise<void> }) {
  const [isAsking, setAsking] = useState(false);
  const ask = () => {
    setAsking(true);
    void onReview();
  };
  return (
    <Button onClick={ask} pending={isAsking}>
      {words.review}
    </Button>
  );
}

interface AnsweredStepProps {
  result: ProofResult;
  doneLabel: string;
  onAsk(): void;
  onReview(): Promise<void>;
  onDone(): void;
}

/** Verdict of a proof with its next action: done, another try, a review, or later. */
export function AnsweredStep({ result, doneLabel, onAsk, onReview, onDone }: AnsweredStepProps) {
  const { outcome, reason, triesLeft, canAskReview } = result;
  if (outcome === "yes") {
    return (
      <Outcome detail={words.note} isGood sentence={words.passed}>
        <Button kind="primary" onClick={onDone}>
          {doneLabel}
        </Button>
      </Outcome>
    );
  }
  const tries = triesLeft > 0 ? words.triesLeft(triesLeft) : words.pausedHour;
  const detail = outcome === "unusable" ? words.uncounted : tries;
  return (
    <>
      <Outcome detail={detail} sentence={reason ? proofFaultSentence(reason, outcome) : words.unknown}>
        {(triesLeft > 0 || outcome === "unusable") && <AnotherPrompt onAsk={onAsk} />}
        {canAskReview && <ReviewButton onReview={onReview} />}
      </Outcome>
      {canAskReview && <p className="text-xs text-muted">{words.reviewHint}</p>}
    </>
  );
}

interface RefusedStepProps {
  refusal: Refusal;
  name: string | undefined;
  onAsk(): void;
  onReview(promptId: string): Promise<void>;
}

/** Reason why there is no prompt: a reference that is too short, a pause, or a failure. */
export function RefusedStep({ refusal, name, onAsk, onReview }: RefusedStepProps) {
  if (refusal.code === "proof-reference-short") {
    return (
      <Outcome sentence={words.shortReference}>
        {name !== undefined && (
          <Link className={buttonClass({ kind: "primary" })} to={paths.roleNew({ name })}>
            <Icon name="mic" size={18} />
            {words.again}
          </Link>
        )}
      </Outcome>
    );
  }
  const seconds = Number(refusal.data?.retryAfterSeconds ?? refusal.retryAfterSeconds ?? 0);
  const promptId = refusal.data?.promptId;
  const isPaused = refusal.code === "proof-paused" && seconds > 0;
  return (
    <Outcome sentence={isPaused ? words.paused(Math.ceil(seconds / 60)) : sentenceFor(refusal)}>
      {!isPaused && <Button onClick={onAsk}>{words.retry}</Button>}
      {isPaused && typeof promptId === "string" && <ReviewButton onReview={() => onReview(promptId)} />}
    </Outcome>
  );
}
