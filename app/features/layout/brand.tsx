import { Link } from "@remix-run/react";
import { site } from "~/copy/site";
import { paths } from "~/paths";

/** The seal: sound as strokes, carved out of vermilion. */
export function Seal({ size = 30 }: { size?: number }) {
  return (
    <span
      aria-hidden="true"
      className="grid shrink-0 place-items-center rounded-[7px] bg-seal text-on-seal"
      style={{ width: size, height: size }}
    >
      <svg
        aria-hidden="true"
        fill="none"
        height={size * 0.6}
        stroke="currentColor"
        strokeLinecap="round"
        strokeWidth="2"
        viewBox="0 0 18 18"
        width={size * 0.6}
      >
        <path d="M2 8v2M5.500 5v8M9 2v14M12.500 5.500v7M16 8v2" />
      </svg>
    </span>
  );
}

export function Brand({ siteName }: { siteName: string }) {
  return (
    <Link
      aria-label={site.homeLink(siteName)}
      className="flex min-h-[44px] items-center gap-2.5 font-song text-xl font-bold tracking-wider"
      to={paths.home}
    >
      <Seal />
      {siteName}
    </Link>
  );
}
