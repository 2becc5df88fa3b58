import type { ReactNode } from "react";

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
