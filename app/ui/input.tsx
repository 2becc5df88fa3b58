import type { InputHTMLAttributes, ReactNode, RefObject } from "react";

interface InputProps extends InputHTMLAttributes<HTMLInputElement> {
  id: string;
  label: string;
  /** What is wrong, read out with the input. */
  error?: string | null | undefined;
  inputRef?: RefObject<HTMLInputElement>;
  /** Stands at the input's right end. */
  trailing?: ReactNode;
}

/** One line to fill in, with its label above and its fault tied to it. */
export function Input({ id, label, error, inputRef, trailing, ...rest }: InputProps) {
  return (
    <div>
      <label className="mb-1.5 block text-sm font-semibold" htmlFor={id}>
        {label}
      </label>
      <div className="flex gap-2 tight:flex-wrap">
        <input
          aria-describedby={error ? `${id}-error` : undefined}
          aria-invalid={error ? true : undefined}
          className={`tabular block h-12 w-full min-w-0 rounded border bg-transparent px-3.5 placeholder:text-muted ${error ? "border-seal" : "border-edge"}`}
          id={id}
          ref={inputRef}
          {...rest}
        />
        {trailing}
      </div>
      {error && (
        <p className="mt-1.5 text-xs text-seal" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
