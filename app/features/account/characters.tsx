import { accountCopy } from "~/copy/account";
import { ProgressBar } from "~/ui/feedback";
import type { CharacterMeter } from "./provider";

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
