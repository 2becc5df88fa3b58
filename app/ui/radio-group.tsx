import { type ReactNode, useId } from "react";

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
      <div className="flex gap-2 tight:flex-wrap sm:gap-2.5">
        {options.map((option) => (
          <label
            className="relative flex min-h-[44px] flex-auto cursor-pointer items-center justify-center gap-2 whitespace-nowrap rounded-full tight:whitespace-normal border border-line px-2 text-sm transition-colors hover:border-edge has-[:checked]:border-ink has-[:checked]:bg-wash has-[:focus-visible]:outline has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-seal md:flex-none md:px-4"
            key={option.value}
          >
            <input
              checked={option.value === value}
              className="absolute inset-0 cursor-pointer appearance-none rounded-full outline-none"
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
