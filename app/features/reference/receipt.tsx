import { revocationCopy } from "~/copy/consent-link";
import { buttonClass } from "~/ui/button";
import type { RevocationReceipt } from "~server/bff/roles.server";

interface ReceiptProps {
  receipt: RevocationReceipt;
}

/** The facts on a receipt of a revoked consent. */
export function ReceiptFacts({ receipt, className }: ReceiptProps & { className: string }) {
  const { receiptId, revokedAt, removed } = receipt;
  const facts = [
    [revocationCopy.id, receiptId],
    [revocationCopy.time, revokedAt.slice(0, 19).replace("T", " ")],
    [revocationCopy.removed, revocationCopy.counts(removed)],
  ] as const;
  return (
    <dl className={`grid gap-2 ${className}`}>
      {facts.map(([name, value]) => (
        <div className="grid gap-0.5 sm:grid-cols-[5rem_1fr]" key={name}>
          <dt className="text-muted">{name}</dt>
          <dd className="tabular m-0 min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Saves the receipt as a file that /verify reads; works without scripts. */
export function ReceiptDownload({ receipt }: ReceiptProps) {
  return (
    <a
      className={buttonClass({ kind: "primary" })}
      download={revocationCopy.file(receipt.receiptId)}
      href={`data:application/json;charset=utf-8,${encodeURIComponent(JSON.stringify(receipt, null, 2))}`}
    >
      {revocationCopy.download}
    </a>
  );
}
