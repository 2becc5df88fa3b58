import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { Blot } from "./blot";
import { buttonClass } from "./button";

interface NoticeProps {
  heading?: string;
  /** Of the heading in the page's outline. */
  level?: 2 | 3;
  sentence: string;
  /** The one thing to do about it: a link in words … */
  action?: string;
  to?: string;
  /** It is what the page is for. */
  isPrimary?: boolean;
  /** … or whatever does it. */
  children?: ReactNode;
  /** `alert` where something went wrong. */
  role?: "alert" | "status";
  /** Inside a card or a dialog already. */
  isBare?: boolean;
}

/** Stands where the list would: what is the matter, and what to do about it. */
export function Notice({ heading, level = 2, sentence, action, to, isPrimary, children, role, isBare }: NoticeProps) {
  const Heading = level === 2 ? "h2" : "h3";
  return (
    <div
      className={`grid justify-items-center gap-4 px-5 py-10 text-center ${isBare ? "" : "rounded-card border border-line bg-surface"}`}
      role={role}
    >
      <Blot isSmall />
      <div className="grid gap-1.5">
        {heading && <Heading className="font-song text-xl font-semibold">{heading}</Heading>}
        <p className="max-w-[30em] text-sm text-muted">{sentence}</p>
      </div>
      {children}
      {action && to && (
        <Link className={buttonClass({ kind: isPrimary ? "primary" : "outline" })} to={to}>
          {action}
        </Link>
      )}
    </div>
  );
}
