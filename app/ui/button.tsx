import { Link } from "@remix-run/react";
import { type ButtonHTMLAttributes, type ReactNode, type RefObject, useEffect, useRef } from "react";
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

export type Sound = "silent" | "loading" | "playing";

interface ListenButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** What a press does, in words. */
  label: string;
  sound: Sound;
  size?: "normal" | "large";
}

const icons = { silent: "play", loading: "spinner", playing: "pause" } as const;

/** Lets something be heard: a vermilion triangle in a ring, celadon while it sounds. */
export function ListenButton({ label, sound, size = "normal", className = "", ...rest }: ListenButtonProps) {
  const look =
    sound === "playing" ? "border-transparent bg-celadon text-on-celadon" : "border-line text-seal hover:border-edge";
  return (
    <button
      aria-label={label}
      className={`grid shrink-0 place-items-center rounded-full border transition-colors disabled:text-muted disabled:opacity-60 ${size === "large" ? "h-12 w-12" : "h-11 w-11"} ${look} ${className}`}
      title={label}
      type="button"
      {...rest}
    >
      <Icon className={sound === "loading" ? "animate-spin" : undefined} name={icons[sound]} size={18} />
    </button>
  );
}

/** A small choice; its touch area reaches 44 px though it looks 32 px high. */
export function Chip({ children, ...rest }: ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button className="group -my-1.5 inline-flex min-h-[44px] items-center" type="button" {...rest}>
      <span className="whitespace-nowrap rounded-full bg-wash px-2.5 py-1.5 sm:px-3 text-xs text-muted transition-colors group-hover:text-ink group-aria-pressed:bg-ink group-aria-pressed:text-paper">
        {children}
      </span>
    </button>
  );
}

/** A word that labels what stands beside it. */
export function Badge({ children }: { children: ReactNode }) {
  return (
    <span className="inline-flex items-center whitespace-nowrap rounded-full border border-line px-2 py-0.5 text-xs text-muted">
      {children}
    </span>
  );
}

interface ChipLinkProps {
  to: string;
  isCurrent: boolean;
  children: ReactNode;
}

/** One of several ways to narrow a list, each an address of its own. */
export function ChipLink({ to, isCurrent, children }: ChipLinkProps) {
  return (
    <Link
      aria-current={isCurrent ? "true" : undefined}
      className="group inline-flex min-h-[44px] items-center"
      preventScrollReset
      to={to}
    >
      <span className="whitespace-nowrap rounded-full bg-wash px-3.5 py-1.5 text-sm text-muted transition-colors group-hover:text-ink group-aria-[current=true]:bg-ink group-aria-[current=true]:text-paper">
        {children}
      </span>
    </Link>
  );
}

/** When the focused button gives way to another one, the keyboard goes on from there instead of the top of the page. */
export function useKeptFocus<Element extends HTMLElement>(): RefObject<Element> {
  const container = useRef<Element>(null);
  useEffect(() => {
    const element = container.current;
    if (!element) return;
    let isInside = false;
    const follow = ({ target }: FocusEvent) => {
      isInside = target instanceof Node && element.contains(target);
    };
    const observer = new MutationObserver(() => {
      if (isInside && document.activeElement === document.body) element.querySelector("button")?.focus();
    });
    document.addEventListener("focusin", follow);
    observer.observe(element, { childList: true, subtree: true });
    return () => {
      document.removeEventListener("focusin", follow);
      observer.disconnect();
    };
  }, []);
  return container;
}
