import {
  type ChangeEvent,
  type DragEvent,
  forwardRef,
  type InputHTMLAttributes,
  type ReactNode,
  type RefObject,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
  useState,
} from "react";
import { IconFrame } from "./icons/icon";

interface FieldProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  id: string;
  label: string;
  /** Error message, announced with the field. */
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
        className={`block w-full resize-none rounded border bg-transparent px-3.5 py-3 placeholder:text-muted ${error ? "border-seal" : "border-edge"} ${className}`}
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

interface InputProps extends InputHTMLAttributes<HTMLInputElement> {
  id: string;
  label: string;
  /** Error message, announced with the input. */
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
      <div className="flex flex-wrap gap-2">
        <input
          aria-describedby={error ? `${id}-error` : undefined}
          aria-invalid={error ? true : undefined}
          className={`tabular block h-12 min-w-[7rem] flex-1 rounded border bg-transparent px-3.5 placeholder:text-muted ${error ? "border-seal" : "border-edge"}`}
          id={id}
          ref={inputRef}
          size={1}
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

export interface SearchInputProps extends InputHTMLAttributes<HTMLInputElement> {
  /** Accessible name and placeholder. */
  label: string;
}

/** One line to search with. */
export const SearchInput = forwardRef<HTMLInputElement, SearchInputProps>(({ label, className = "", ...rest }, ref) => (
  <input
    aria-label={label}
    className={`min-h-[44px] w-full min-w-0 rounded-full border border-line bg-surface px-5 text-base tight:px-3 placeholder:text-muted hover:border-edge ${className}`}
    maxLength={100}
    placeholder={label}
    ref={ref}
    type="search"
    {...rest}
  />
));

interface SelectProps extends SelectHTMLAttributes<HTMLSelectElement> {
  /** One of a row of filters, not a field to fill in. */
  isPill?: boolean;
}

/** One choice among many; the device opens its own list. */
export function Select({ isPill = false, ...rest }: SelectProps) {
  return (
    <span className={isPill ? "select is-pill" : "select"}>
      <select {...rest} />
      <span>
        <IconFrame size={14}>
          <path d="m6 9 6 6 6-6" />
        </IconFrame>
      </span>
    </span>
  );
}

interface Option<Value extends string> {
  value: Value;
  label: ReactNode;
}

interface RadioGroupProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly Option<Value>[];
  onChange: (value: Value) => void;
}

/** One choice among few, as pills; real radio inputs, so arrows, Tab and screen readers work by themselves. */
export function RadioGroup<Value extends string>({ label, value, options, onChange }: RadioGroupProps<Value>) {
  const name = useId();
  return (
    <fieldset className="m-0 min-w-0 border-0 p-0">
      <legend className="sr-only">{label}</legend>
      <div className="flex flex-wrap gap-2 sm:gap-2.5">
        {options.map((option) => (
          <label className="radio-pill" key={option.value}>
            <input
              checked={option.value === value}
              name={name}
              onChange={() => onChange(option.value)}
              type="radio"
              value={option.value}
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** The props that make an input pick a file. */
export const fileInput = (onFile: (file: File) => void) => ({
  type: "file",
  onChange({ target }: ChangeEvent<HTMLInputElement>) {
    const file = target.files?.[0];
    // The same file may be chosen again after a fault.
    target.value = "";
    if (file) onFile(file);
  },
});

/** A file picked or dropped: handlers for the file input and for its label, and whether a file hangs over it now. */
export function useFileDrop(onFile: (file: File) => void) {
  const [isOver, setOver] = useState(false);
  return {
    isOver,
    input: fileInput(onFile),
    zone: {
      onDragOver(event: DragEvent) {
        if (!event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: (event: DragEvent) =>
        event.currentTarget.contains(event.relatedTarget as Node | null) || setOver(false),
      onDrop(event: DragEvent) {
        const [file] = event.dataTransfer.files;
        setOver(false);
        if (!file) return;
        event.preventDefault();
        onFile(file);
      },
    },
  } as const;
}
