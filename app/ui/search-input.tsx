import { forwardRef, type InputHTMLAttributes } from "react";

interface SearchInputProps extends InputHTMLAttributes<HTMLInputElement> {
  /** What is searched, as its name and inside it. */
  label: string;
}

/** One line to search with. */
export const SearchInput = forwardRef<HTMLInputElement, SearchInputProps>(({ label, className = "", ...rest }, ref) => (
  <input
    aria-label={label}
    className={`min-h-[44px] w-full min-w-0 rounded-full border border-line bg-surface px-5 text-base placeholder:text-muted hover:border-edge ${className}`}
    maxLength={100}
    placeholder={label}
    ref={ref}
    type="search"
    {...rest}
  />
));
