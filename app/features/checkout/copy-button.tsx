import { type ReactNode, useState } from "react";
import { checkoutCopy } from "~/copy/checkout";
import { Button } from "~/ui/button";

interface CopyButtonProps {
  text(): string;
  className?: string;
  /** For assistive technology, where the words on the button do not say what is copied. */
  label?: string;
  children: ReactNode;
}

/** Puts a text on the clipboard and says on itself whether that worked. */
export function CopyButton({ text, className = "", label, children }: CopyButtonProps) {
  const [said, setSaid] = useState<"copied" | "failed" | null>(null);
  const copy = async () => {
    const isCopied = await navigator.clipboard?.writeText(text()).then(
      () => true,
      () => false,
    );
    setSaid(isCopied ? "copied" : "failed");
  };
  return (
    <Button aria-label={said ? undefined : label} className={className} onClick={() => void copy()}>
      <span aria-live="polite">{said ? checkoutCopy.copying[said] : children}</span>
    </Button>
  );
}
