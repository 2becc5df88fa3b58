import { Link } from "@remix-run/react";
import { loginCopy as words } from "~/copy/account";
import { paths } from "~/paths";

/** The sentence that logging in accepts the terms. Where their data cannot be read, the browser loads their document. */
export function TermsLine({ onLeave }: { onLeave?: (() => void) | undefined }) {
  return (
    <p className="text-center text-xs text-muted">
      {words.agreeBefore}
      <Link
        className="inline-block px-1 py-3 underline underline-offset-4 hover:text-ink"
        onClick={(event) => event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || onLeave?.()}
        state={{ loadsDocumentOnError: true }}
        to={paths.service}
      >
        {words.terms}
      </Link>
    </p>
  );
}
