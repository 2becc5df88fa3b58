import { useId } from "react";

interface SliderProps {
  label: string;
  value: number;
  min: number;
  max: number;
  step: number;
  /** The value in words, shown and read out. */
  text: string;
  onChange(value: number): void;
  disabled?: boolean;
}

/** A range input under its name and its value in words; at least 160 px long. */
export function Slider({ label, value, text, onChange, ...range }: SliderProps) {
  const id = useId();
  return (
    <div className="grid min-w-[160px] grid-cols-[1fr_auto] items-baseline gap-x-3">
      <label className="text-sm" htmlFor={id}>
        {label}
      </label>
      <span aria-hidden="true" className="tabular text-right text-xs text-muted">
        {text}
      </span>
      <input
        aria-valuetext={text}
        className="col-span-2 h-11 w-full cursor-pointer disabled:cursor-not-allowed disabled:opacity-50"
        id={id}
        onChange={(event) => onChange(Number(event.target.value))}
        type="range"
        value={value}
        {...range}
      />
    </div>
  );
}
