import { Link } from "@remix-run/react";
import { siteCopy } from "~/copy/site";
import { paths } from "~/paths";
import { Seal } from "~/ui/seal";

export function Brand({ siteName }: { siteName: string }) {
  return (
    <Link
      aria-label={siteCopy.homeLink(siteName)}
      className="flex min-h-[44px] items-center gap-2.5 font-song text-xl font-bold tracking-wider tight:gap-1 tight:text-lg tight:whitespace-nowrap tight:tracking-normal"
      to={paths.home}
    >
      <Seal />
      {siteName}
    </Link>
  );
}
