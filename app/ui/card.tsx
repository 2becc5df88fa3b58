import { Link } from "@remix-run/react";
import type { HTMLAttributes, ReactNode } from "react";
import { buttonClass } from "./button";
import { Blot } from "./icons/icon";

export function Card({ className = "", ...rest }: HTMLAttributes<HTMLDivElement>) {
  return <div className={`card ${className}`} {...rest} />;
}

interface NoticeProps {
  heading?: string;
  /** Level of the heading in the page's outline. */
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
    <div className={`grid justify-items-center gap-4 px-5 py-10 text-center ${isBare ? "" : "card"}`} role={role}>
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

/** A sentence about the site itself, above the tab bar and the player; it waits for an answer and covers no dialog. */
export function NoticeBar({ label, text, children }: { label: string; text: string; children?: ReactNode }) {
  return (
    <section
      aria-label={label}
      className="fixed inset-x-3 bottom-[calc(var(--tabbar)+var(--player,0px)+12px)] z-30 mx-auto flex max-w-[40rem] flex-wrap items-center gap-2 rounded-card border border-line bg-surface p-3 shadow-card"
    >
      <p className="min-w-[12em] flex-1 text-sm" role="status">
        {text}
      </p>
      {children && <div className="ml-auto flex gap-2">{children}</div>}
    </section>
  );
}

/** Words as a list of small labels. */
export function Tags({ tags }: { tags: readonly string[] }) {
  return (
    <ul className="tags">
      {tags.map((tag) => (
        <li key={tag}>{tag}</li>
      ))}
    </ul>
  );
}
