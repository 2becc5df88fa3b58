import { Link } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { squareCopy } from "~/copy/square";
import { buttonClass } from "~/ui/button";
import { Icon } from "~/ui/icons/icon";

interface MoreLinkProps {
  /** The next page's own address: without scripts the link goes there. */
  to: string;
  status: "idle" | "loading" | "failed";
  onMore(): void;
}

/** How far ahead of the list's end the next page is asked for. */
const aheadPx = 800;

/** Asks for more by itself when it comes near; after a failure only when pressed. */
export function MoreLink({ to, status, onMore }: MoreLinkProps) {
  const place = useRef<HTMLDivElement>(null);
  const isWaiting = status === "idle";
  useEffect(() => {
    if (!isWaiting || !place.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) onMore();
      },
      { rootMargin: `0px 0px ${aheadPx}px` },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isWaiting, onMore]);

  return (
    <div className="flex flex-wrap items-center justify-center gap-3" ref={place}>
      {status === "failed" && (
        <p className="text-sm text-muted" role="alert">
          {squareCopy.moreFailed}
        </p>
      )}
      <Link
        aria-disabled={status === "loading" || undefined}
        className={buttonClass()}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
          event.preventDefault();
          if (status !== "loading") onMore();
        }}
        rel="next"
        to={to}
      >
        {status === "loading" && <Icon className="animate-spin" name="spinner" size={18} />}
        {status === "failed" ? squareCopy.retry : status === "loading" ? squareCopy.loading : squareCopy.more}
      </Link>
    </div>
  );
}
