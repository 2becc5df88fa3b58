import { Link } from "@remix-run/react";
import { siteCopy } from "~/copy/site";
import { useHasCall, useOffer } from "~/offer";
import { paths } from "~/paths";
import { ServedIcon } from "~/ui/icons/served-icon";

const link = "inline-flex min-h-[44px] items-center gap-1.5 underline-offset-4 hover:text-ink hover:underline";

/** The engine and the label are named only where the upstream promises them. */
export function Footer({ siteName }: { siteName: string }) {
  const { engine, isLabelled } = useOffer();
  const canVerify = useHasCall("verify");
  const promises = [engine === "embedded" && siteCopy.engine, isLabelled && siteCopy.footer.aiLabel].filter(Boolean);
  return (
    <footer className="mt-auto border-t border-line">
      <div className="mx-auto flex max-w-page flex-wrap items-center gap-x-6 px-4 py-4 text-xs text-muted md:px-6">
        <span className="font-song text-sm text-ink">{siteName}</span>
        <Link className={link} to={paths.service}>
          <ServedIcon name="lucide:scroll-text" size={16} />
          {siteCopy.footer.terms}
        </Link>
        <Link className={link} to={paths.subscribe}>
          <ServedIcon name="lucide:crown" size={16} />
          {siteCopy.footer.subscribe}
        </Link>
        {canVerify && (
          <Link className={link} to={paths.verify}>
            <ServedIcon name="lucide:shield-check" size={16} />
            {siteCopy.footer.verify}
          </Link>
        )}
        <span className="md:ml-auto">{promises.join(" · ")}</span>
      </div>
    </footer>
  );
}
