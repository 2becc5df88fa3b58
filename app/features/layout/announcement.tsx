import { startTransition, useEffect, useRef, useState } from "react";
import { announcementCopy } from "~/copy/site";
import { paths } from "~/paths";
import { IconButton } from "~/ui/button";
import { Icon } from "~/ui/icons/icon";

interface AnnouncementProps {
  id: string;
  text: string;
  link: string | null;
  /** Its height in CSS pixels, for the theme; 0 once it has gone. */
  onHeight(height: number): void;
}

/**
 * The operator's notice at the top of every page until it is closed. Not lazy: the server renders it, and React gives up
 * hydrating a lazy part (its error 421) when a context above it changes before the part's file is there.
 */
export function Announcement({ id, text, link, onHeight }: AnnouncementProps) {
  const [isClosed, setClosed] = useState(false);
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const tell = (height: number) => startTransition(() => onHeight(height));
    const observer = new ResizeObserver(() => tell(element.offsetHeight));
    observer.observe(element);
    return () => {
      observer.disconnect();
      tell(0);
    };
  }, [onHeight]);
  if (isClosed) return null;
  const close = () => {
    // If this request fails, the next page shows the notice again.
    fetch(paths.closedBanner, { method: "POST", body: new URLSearchParams({ id }), keepalive: true }).catch(() => {});
    setClosed(true);
    onHeight(0);
    document.querySelector("main")?.focus({ preventScroll: true });
  };
  return (
    <aside aria-label={announcementCopy.label} className="border-b border-line bg-wash" ref={box}>
      <div className="mx-auto flex max-w-page items-center gap-3 pl-4 pr-1 text-sm md:px-6">
        <p className="flex-1 py-2">
          {text}
          {link && (
            <a
              className="ml-2 inline-flex min-h-[44px] items-center text-seal underline underline-offset-4"
              href={link}
            >
              {announcementCopy.more}
            </a>
          )}
        </p>
        <IconButton label={announcementCopy.close} onClick={close}>
          <Icon name="close" />
        </IconButton>
      </div>
    </aside>
  );
}
