import { Link } from "@remix-run/react";
import { site } from "~/copy/site";
import { paths } from "~/paths";

const link = "inline-flex min-h-[44px] items-center underline-offset-4 hover:text-ink hover:underline";

export function Footer({ siteName }: { siteName: string }) {
  return (
    <footer className="mt-auto border-t border-line">
      <div className="mx-auto flex max-w-page flex-wrap items-center gap-x-6 px-4 py-4 text-xs text-muted md:px-6">
        <span className="font-song text-sm text-ink">{siteName}</span>
        <Link className={link} to={paths.service}>
          {site.footer.terms}
        </Link>
        <Link className={link} to={paths.subscribe}>
          {site.footer.subscribe}
        </Link>
        <Link className={link} to={paths.verify}>
          {site.footer.verify}
        </Link>
        <span className="md:ml-auto">
          {site.engine} · {site.footer.aiLabel}
        </span>
      </div>
    </footer>
  );
}
