import { useNavigate } from "@remix-run/react";
import type { MouseEvent } from "react";
import { loginCopy as words } from "~/copy/login";
import { paths } from "~/paths";

const patienceMs = 3000;

/** Going on means agreeing. The link routes within the page, and loads the terms whole where that fails. */
export function TermsLine({ onLeave }: { onLeave?: (() => void) | undefined }) {
  const navigate = useNavigate();
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const loadWhole = () => window.location.assign(paths.service);
    const from = window.location.href;
    setTimeout(() => window.location.href === from && loadWhole(), patienceMs);
    try {
      navigate(paths.service);
      onLeave?.();
    } catch {
      loadWhole();
    }
  };
  return (
    <p className="text-center text-xs text-muted">
      {words.agreeBefore}
      <a
        className="inline-block px-1 py-3 underline underline-offset-4 hover:text-ink"
        href={paths.service}
        onClick={open}
      >
        {words.terms}
      </a>
    </p>
  );
}
