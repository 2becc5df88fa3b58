import { useState } from "react";
import { callApi } from "~/call";
import { accountCopy } from "~/copy/account";
import { askToConfirm } from "~/dialog-requests";
import { notify } from "~/features/toasts/notify";
import { Button } from "~/ui/button";
import { ProgressBar } from "~/ui/feedback";
import type { CharacterMeter, User } from "./provider";

/** Characters of one kind that are left, with their end. */
export function Meter({ meter: { bucket, total, left, endsAt } }: { meter: CharacterMeter }) {
  const name = accountCopy.buckets[bucket];
  return (
    <div className="grid content-start gap-1">
      <p className="text-sm">{name}</p>
      <ProgressBar label={name} value={left / total} />
      <p className="tabular flex flex-wrap justify-between gap-x-3 text-xs text-muted">
        <span>{accountCopy.left(left, total)}</span>
        {endsAt > 0 && <span>{accountCopy.until(endsAt)}</span>}
      </p>
    </div>
  );
}

interface NextStepProps {
  step: NonNullable<User["nextStep"]>;
  /** Its characters can be used now. */
  onStarted(): void;
}

const copy = accountCopy.nextStep;

/** The paid step that begins next, and the choice to start it early once the running one is used up. */
export function NextStep({ step: { characters, startsAt, endsAt, canStart }, onStarted }: NextStepProps) {
  const [isStarting, setStarting] = useState(false);
  const start = async () => {
    if (!(await askToConfirm(copy.asking(characters, endsAt)))) return;
    setStarting(true);
    await callApi("stepStart", {}).then(
      () => {
        notify({ kind: "success", text: copy.started(characters) });
        onStarted();
      },
      () => notify({ kind: "error", text: copy.failed }),
    );
    setStarting(false);
  };
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
      <p className="tabular text-muted">{copy.coming(characters, startsAt)}</p>
      {canStart && (
        <Button onClick={() => void start()} pending={isStarting}>
          {copy.start}
        </Button>
      )}
    </div>
  );
}
