import type { ButtonHTMLAttributes } from "react";
import { Icon } from "./icons/icon";

type Kind = "primary" | "outline" | "quiet";
interface Look {
  kind?: Kind | undefined;
  size?: "normal" | "large" | undefined;
}

const kinds: Record<Kind, string> = {
  primary: "bg-seal font-semibold text-on-seal hover:bg-seal-hover",
  outline: "border border-line bg-surface text-ink hover:border-edge",
  quiet: "text-muted hover:bg-wash hover:text-ink",
};

/** Classes of a button, for links that look like one. */
export function buttonClass({ kind = "outline", size = "normal" }: Look = {}): string {
  const shape = size === "large" ? "min-h-[52px] px-8 text-base" : "min-h-[44px] px-4 text-sm";
  return `inline-flex select-none items-center justify-center gap-2 whitespace-nowrap rounded-full text-center transition-colors tight:whitespace-normal tight:px-3 tight:py-1 disabled:cursor-not-allowed disabled:opacity-60 aria-disabled:cursor-progress ${shape} ${kinds[kind]}`;
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, Look {
  /** Shows a turning mark and keeps focus: a pending button is never `disabled`, or the keyboard would lose its place. */
  pending?: boolean;
}

export function Button({ kind, size, pending = false, className = "", children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      aria-disabled={pending || undefined}
      className={`${buttonClass({ kind, size })} ${className}`}
      onClick={pending ? (event) => event.preventDefault() : onClick}
      type="button"
      {...rest}
    >
      {pending && <Icon className="animate-spin" name="spinner" size={18} />}
      {children}
    </button>
  );
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  label: string;
}

/** A round 44 px target around one icon. */
export function IconButton({ label, className = "", children, ...rest }: IconButtonProps) {
  return (
    <button
      aria-label={label}
      className={`grid h-11 w-11 shrink-0 place-items-center rounded-full transition-colors ${className || "text-muted hover:bg-wash hover:text-ink"}`}
      title={label}
      type="button"
      {...rest}
    >
      {children}
    </button>
  );
}
