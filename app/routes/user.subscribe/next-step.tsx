import { useState } from "react";
import { callApi } from "~/call";
import { accountCopy } from "~/copy/account";
import { notify } from "~/features/toasts/notify";
import { askToConfirm } from "~/state/dialog-requests";
import { Button } from "~/ui/button";
import type { User } from "~server/bff/accounts.server";

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
