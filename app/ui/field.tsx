import type { RefObject, TextareaHTMLAttributes } from "react";

interface FieldProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  id: string;
  label: string;
  /** What is wrong, read out with the field. */
  error?: string | undefined;
  inputRef?: RefObject<HTMLTextAreaElement>;
}

/** A text area with its label and its fault tied to it. */
export function Field({ id, label, error, inputRef, className = "", ...rest }: FieldProps) {
  return (
    <div>
      <label className="sr-only" htmlFor={id}>
        {label}
      </label>
      <textarea
        aria-describedby={error ? `${id}-error` : undefined}
        aria-invalid={error ? true : undefined}
        className={`block w-full resize-none rounded border bg-transparent px-3.5 py-3 placeholder:text-muted ${error ? "border-seal" : "border-line hover:border-edge"} ${className}`}
        id={id}
        ref={inputRef}
        {...rest}
      />
      {error && (
        <p className="mt-1.5 text-xs text-seal" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}
