import { revocationCopy } from "~/copy/roles";
import { buttonClass } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import type { RevocationReceipt } from "~server/bff/roles.server";

interface ReceiptDialogProps {
  receipt: RevocationReceipt;
  onClose(): void;
}

/** The receipt of a revoked consent, to save as a file. `lazy` requires a default export. */
export default function ReceiptDialog({ receipt, onClose }: ReceiptDialogProps) {
  const { receiptId, revokedAt, removed } = receipt;
  const facts = [
    [revocationCopy.id, receiptId],
    [revocationCopy.time, revokedAt.slice(0, 19).replace("T", " ")],
    [revocationCopy.removed, revocationCopy.counts(removed)],
  ] as const;
  return (
    <Dialog
      closeLabel={revocationCopy.done}
      description={revocationCopy.text}
      onClose={onClose}
      title={revocationCopy.title}
    >
      <dl className="mt-4 grid gap-2 rounded bg-wash px-4 py-3 text-sm">
        {facts.map(([name, value]) => (
          <div className="grid gap-0.5 sm:grid-cols-[5rem_1fr]" key={name}>
            <dt className="text-muted">{name}</dt>
            <dd className="tabular m-0 min-w-0 break-words">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-5 grid gap-3 sm:grid-cols-2">
        <a
          className={buttonClass({ kind: "primary" })}
          download={revocationCopy.file(receiptId)}
          href={`data:application/json;charset=utf-8,${encodeURIComponent(JSON.stringify(receipt, null, 2))}`}
        >
          {revocationCopy.download}
        </a>
        <button className={buttonClass()} onClick={onClose} type="button">
          {revocationCopy.done}
        </button>
      </div>
    </Dialog>
  );
}
