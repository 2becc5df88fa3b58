import { Link } from "@remix-run/react";
import type { ReactNode } from "react";

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
