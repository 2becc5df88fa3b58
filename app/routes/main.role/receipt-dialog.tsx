import { revocationCopy } from "~/copy/consent-link";
import { ReceiptDownload, ReceiptFacts } from "~/features/reference/receipt";
import { buttonClass } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import type { RevocationReceipt } from "~server/bff/roles.server";

interface ReceiptDialogProps {
  receipt: RevocationReceipt;
  onClose(): void;
}

/** The receipt of a revoked consent, to save as a file. `lazy` requires a default export. */
export default function ReceiptDialog({ receipt, onClose }: ReceiptDialogProps) {
  return (
    <Dialog
      closeLabel={revocationCopy.done}
      description={revocationCopy.text}
      onClose={onClose}
      title={revocationCopy.title}
    >
      <ReceiptFacts className="mt-4 rounded bg-wash px-4 py-3 text-sm" receipt={receipt} />
      <div className="mt-5 grid gap-3 sm:grid-cols-2">
        <ReceiptDownload receipt={receipt} />
        <button className={buttonClass()} onClick={onClose} type="button">
          {revocationCopy.done}
        </button>
      </div>
    </Dialog>
  );
}
