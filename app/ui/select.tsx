import type { SelectHTMLAttributes } from "react";
import { IconFrame } from "./icons/icon-frame";

interface SelectProps extends SelectHTMLAttributes<HTMLSelectElement> {
  /** One of a row of filters, not a field to fill in. */
  isPill?: boolean;
}

const pill = "rounded-full border-line pl-3 pr-7 text-xs hover:border-edge md:pl-4 md:pr-9 md:text-sm";
const field = "rounded border-edge pl-3 pr-9 text-base";

/** One choice among many; the device opens its own list. */
export function Select({ isPill = false, ...rest }: SelectProps) {
  return (
    <span className={`relative block min-w-0 ${isPill ? "flex-1 md:flex-none" : ""}`}>
      <select
        className={`min-h-[44px] w-full min-w-0 cursor-pointer appearance-none border bg-surface text-ink ${isPill ? pill : field}`}
        {...rest}
      />
      <span className="pointer-events-none absolute inset-y-0 right-2 grid place-items-center text-muted md:right-3">
        <IconFrame size={14}>
          <path d="m6 9 6 6 6-6" />
        </IconFrame>
      </span>
    </span>
  );
}
