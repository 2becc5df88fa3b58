import { cloneRecordsCopy as words } from "~/copy/clone";
import { sentenceFor } from "~/copy/errors";
import { Icon } from "~/ui/icons/icon";
import { ProgressBar } from "~/ui/progress-bar";
import type { CloneRecord } from "~server/bff/generations.server";
import type { Acting } from "./use-record-actions";

/** How far a running one is, or why it failed, in words. */
export function stateOf(record: CloneRecord, acting: Acting | undefined): string {
  const { status, progress, segDone, segTotal, queuePos, refusal } = record;
  if (acting) return acting === "cancel" ? words.states.cancelling : words.states.retrying;
  if (status === 2) return words.states.done;
  if (status === 3) return refusal?.code === "cancelled" ? words.states.cancelled : words.states.failed;
  if (progress >= 1) return words.states.finishing;
  if (queuePos > 0) return words.states.queued(queuePos);
  return segTotal === 0 ? words.states.learning : words.states.speaking(segDone, segTotal);
}

/** The line of a record that is not done. */
export function RecordState({
  record,
  acting,
  label,
}: {
  record: CloneRecord;
  acting: Acting | undefined;
  label: string;
}) {
  const { status, progress, queuePos, refusal } = record;
  const word = stateOf(record, acting);
  if (status === 3 && !acting) {
    const isCancelled = refusal?.code === "cancelled";
    return (
      <p className={`flex min-w-0 flex-1 items-start gap-2 text-sm ${isCancelled ? "text-muted" : "text-seal"}`}>
        {!isCancelled && <Icon className="mt-0.5 shrink-0" name="alert" size={18} />}
        <span>{refusal && !isCancelled ? sentenceFor(refusal) : word}</span>
      </p>
    );
  }
  const share = queuePos > 0 || acting ? null : progress;
  return (
    <div className="grid min-w-0 flex-1 gap-1.5">
      <p className="flex justify-between gap-3 text-xs text-muted">
        {word}
        {share !== null && <span className="tabular">{Math.round(share * 100)}%</span>}
      </p>
      <ProgressBar label={words.bar(label)} value={share} />
    </div>
  );
}
