import { Link } from "@remix-run/react";
import type { ButtonHTMLAttributes, ReactNode } from "react";

/** A small choice; its touch area reaches 44 px though it looks 32 px high. */
export function Chip({ children, ...rest }: ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button className="group -my-1.5 inline-flex min-h-[44px] items-center" type="button" {...rest}>
      <span className="whitespace-nowrap rounded-full bg-wash px-2.5 py-1.5 sm:px-3 text-xs text-muted transition-colors group-hover:text-ink group-aria-pressed:bg-ink group-aria-pressed:text-paper">
        {children}
      </span>
    </button>
  );
}

/** A word that labels what stands beside it. */
export function Badge({ children }: { children: ReactNode }) {
  return (
    <span className="inline-flex items-center whitespace-nowrap rounded-full border border-line px-2 py-0.5 text-xs text-muted">
      {children}
    </span>
  );
}

interface ChipLinkProps {
  to: string;
  isCurrent: boolean;
  children: ReactNode;
}

/** One of several ways to narrow a list, each an address of its own. */
export function ChipLink({ to, isCurrent, children }: ChipLinkProps) {
  return (
    <Link
      aria-current={isCurrent ? "true" : undefined}
      className="group inline-flex min-h-[44px] items-center"
      preventScrollReset
      to={to}
    >
      <span className="whitespace-nowrap rounded-full bg-wash px-3.5 py-1.5 text-sm text-muted transition-colors group-hover:text-ink group-aria-[current=true]:bg-ink group-aria-[current=true]:text-paper">
        {children}
      </span>
    </Link>
  );
}
