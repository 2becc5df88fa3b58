import type { SelectHTMLAttributes } from "react";

interface SelectProps extends SelectHTMLAttributes<HTMLSelectElement> {
  /** One of a row of filters, not a field to fill in. */
  isPill?: boolean;
}

const pill = "flex-1 rounded-full border-line px-2 text-xs hover:border-edge md:flex-none md:px-4 md:text-sm";

/** One choice among many, by the device's own list. */
export function Select({ isPill = false, ...rest }: SelectProps) {
  return (
    <select
      className={`min-h-[44px] min-w-0 cursor-pointer border bg-surface text-ink ${isPill ? pill : "w-full rounded border-edge px-3 text-base"}`}
      {...rest}
    />
  );
}
