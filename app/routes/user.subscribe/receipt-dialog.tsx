import { useRouteLoaderData } from "@remix-run/react";
import { useEffect } from "react";
import { checkoutCopy } from "~/copy/checkout";
import { formatYuan, joinDetails } from "~/copy/format";
import { receiptCopy as copy } from "~/copy/invoice";
import { Button } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import type { OrderRow } from "~server/bff/checkout.server";
import { formatMinute } from "./history-list";

interface ReceiptDialogProps {
  order: OrderRow;
  product: string;
  onClose(): void;
}

/** The receipt of a paid order, which the browser prints alone or keeps as a PDF. */
export function ReceiptDialog({ order, product, onClose }: ReceiptDialogProps) {
  const root = useRouteLoaderData("root") as { siteName: string; operator: { company: string | null } } | undefined;
  useEffect(() => {
    document.body.classList.add("prints-dialog");
    return () => document.body.classList.remove("prints-dialog");
  }, []);
  const { outTradeNo, transactionId, platform, paidAt, price, refundedFen } = order;
  const rows = {
    payee: root?.operator.company ?? "",
    number: outTradeNo,
    transaction: transactionId,
    product,
    method: checkoutCopy.methods[platform],
    paidAt: formatMinute(paidAt),
    paid: formatYuan(price),
    refunded: refundedFen > 0 ? formatYuan(refundedFen) : "",
  };
  const shown = Object.entries(rows).filter(([, text]) => text) as Array<[keyof typeof rows, string]>;
  return (
    <Dialog
      closeLabel={copy.close}
      onClose={onClose}
      title={joinDetails(root?.siteName ?? "", copy.title)}
      width="medium"
    >
      <div className="mt-4">
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2 text-sm">
          {shown.map(([name, text]) => (
            <div className="contents" key={name}>
              <dt className="text-muted">{copy.rows[name]}</dt>
              <dd className="tabular break-all" translate="no">
                {text}
              </dd>
            </div>
          ))}
        </dl>
        <p className="mt-4 text-xs text-muted">{copy.note}</p>
      </div>
      <Button className="mt-6 w-full" kind="primary" onClick={() => window.print()}>
        {copy.print}
      </Button>
    </Dialog>
  );
}
