import { checkoutCopy } from "~/copy/checkout";
import { formatYuan } from "~/copy/format";
import { Card } from "~/ui/card";
import type { LedgerEntry } from "~server/contract/calls/users";
import { minuteOf } from "./minute";

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
    <section aria-labelledby="ledger">
      <h2 className="font-song text-lg font-semibold" id="ledger">
        {copy.heading}
      </h2>
      {entries === "failed" || entries.length === 0 ? (
        <p className="mt-2 text-muted">{entries === "failed" ? copy.failed : copy.empty}</p>
      ) : (
        <Card className="mt-3">
          <ul className="divide-y divide-line">
            {entries.map((entry) => (
              <li
                className="grid grid-cols-[1fr_auto] items-baseline gap-x-4 px-4 py-3 text-sm md:px-6"
                key={entry.entryId}
              >
                <span>{titleOf(entry)}</span>
                <span className="tabular text-right">{amountOf(entry)}</span>
                <span className="tabular col-span-2 text-xs text-muted">{minuteOf(entry.createdAt)}</span>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </section>
  );
}
