import { type ReactNode, useState } from "react";
import { checkoutCopy } from "~/copy/checkout";
import { Button } from "~/ui/button";
import { copyText } from "~/ui/feedback";
import type { PaymentNumbers } from "./flow";

const { names, copy, copyLabel } = checkoutCopy.numbers;
const order = ["orderId", "outTradeNo", "transactionId"] as const;

/** The numbers of a payment, folded, each with a copy button: ours and the two on the payer's receipt. */
export function OrderNumbers({ className, ...numbers }: PaymentNumbers & { className: string }) {
  return (
    <details className={className}>
      <summary className="inline-flex min-h-[44px] min-w-[44px] cursor-pointer items-center text-xs text-muted underline underline-offset-4">
        {names.orderId}
      </summary>
      <dl className="grid gap-1.5 text-left text-xs">
        {order
          .filter((name) => numbers[name] !== "")
          .map((name) => (
            <div className="flex items-center gap-3" key={name}>
              <dt className="w-14 shrink-0 text-muted">{names[name]}</dt>
              <dd className="flex min-w-0 flex-1 items-center gap-3">
                <span className="tabular min-w-0 flex-1 break-all" translate="no">
                  {numbers[name]}
                </span>
                <CopyButton label={copyLabel(names[name])} text={() => numbers[name]}>
                  {copy}
                </CopyButton>
              </dd>
            </div>
          ))}
      </dl>
    </details>
  );
}

interface CopyButtonProps {
  text(): string;
  className?: string;
  /** For assistive technology, if the button's text does not say what is copied. */
  label?: string;
  children: ReactNode;
}

/** Copies a text and shows on itself whether that worked. */
export function CopyButton({ text, className = "", label, children }: CopyButtonProps) {
  const [result, setSaid] = useState<"copied" | "failed" | null>(null);
  const copy = async () => setSaid((await copyText(text())) ? "copied" : "failed");
  return (
    <Button aria-label={result ? undefined : label} className={className} onClick={() => void copy()}>
      <span aria-live="polite">{result ? checkoutCopy.copying[result] : children}</span>
    </Button>
  );
}
