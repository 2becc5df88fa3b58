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

/** A real range input with its name and its value in words. */
export function Slider({ label, value, text, onChange, ...range }: SliderProps) {
  const id = useId();
  return (
    <div className="grid min-h-[44px] grid-cols-[3.5rem_minmax(0,1fr)_4.5rem] items-center gap-3">
      <label className="text-sm" htmlFor={id}>
        {label}
      </label>
      <input
        aria-valuetext={text}
        className="h-11 w-full cursor-pointer disabled:cursor-not-allowed disabled:opacity-50"
        id={id}
        onChange={(event) => onChange(Number(event.target.value))}
        type="range"
        value={value}
        {...range}
      />
      <span aria-hidden="true" className="tabular text-right text-xs text-muted">
        {text}
      </span>
    </div>
  );
}
