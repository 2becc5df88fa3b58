import { checkoutCopy } from "~/copy/checkout";
import { formatYuan } from "~/copy/format";
import type { LedgerEntry } from "~server/contract/calls/users";
import { minuteOf } from "./minute";
import { Past } from "./past";

const copy = checkoutCopy.ledger;

/** Signed: characters, money, or nothing for time that was granted. */
function amountOf({ characters, amountFen }: LedgerEntry): string {
  if (characters !== 0) return copy.characters(characters);
  return amountFen === 0 ? "" : formatYuan(amountFen);
}

const titleOf = ({ kind, bucket }: LedgerEntry) =>
  [copy.kinds[kind], copy.buckets.get(bucket)].filter(Boolean).join(" · ");

/** The account's last movements of characters and money, newest first; `failed` when they could not be read. */
export function Ledger({ entries }: { entries: readonly LedgerEntry[] | "failed" }) {
  return (
    <Past copy={copy} entries={entries} id="ledger">
      {(entry) => (
        <li className="grid grid-cols-[1fr_auto] gap-x-4 px-4 py-3 text-sm md:px-6" key={entry.entryId}>
          <span>{titleOf(entry)}</span>
          <span className="tabular text-right">{amountOf(entry)}</span>
          <span className="tabular col-span-2 text-xs text-muted">{minuteOf(entry.createdAt)}</span>
        </li>
      )}
    </Past>
  );
}
