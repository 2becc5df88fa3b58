import { Link } from "@remix-run/react";
import { type ButtonHTMLAttributes, type MouseEvent, type ReactNode, type RefObject, useEffect, useRef } from "react";
import { Icon } from "./icons/icon";

type ButtonKind = "primary" | "outline" | "quiet";
interface Look {
  kind?: ButtonKind | undefined;
  size?: "normal" | "large" | undefined;
}

const kinds: Record<ButtonKind, string> = {
  primary: "btn-primary",
  outline: "btn-outline",
  quiet: "quiet",
};

/** Classes of a button, for links that look like one. */
export function buttonClass({ kind = "outline", size = "normal" }: Look = {}): string {
  return `${size === "large" ? "btn btn-large" : "btn"} ${kinds[kind]}`;
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, Look {
  /** Shows a turning mark and keeps focus: a pending button is never `disabled`, or the keyboard would lose its place. */
  pending?: boolean;
  /** Gives way to the turning mark. */
  icon?: ReactNode;
}

export function Button({ kind, size, pending = false, icon, className = "", children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      aria-busy={pending || undefined}
      aria-disabled={pending || undefined}
      className={`${buttonClass({ kind, size })} ${className}`.trim()}
      onClick={pending ? (event) => event.preventDefault() : onClick}
      type="button"
      {...rest}
    >
      {pending ? <Icon className="animate-spin" name="spinner" size={18} /> : icon}
      {/* Words that change, or that follow what comes and goes, have an element of their own: page translators replace the text. */}
      <span className="contents">{children}</span>
    </button>
  );
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  label: string;
}

/** A round 44 px target around one icon. */
export function IconButton({ label, className = "", children, ...rest }: IconButtonProps) {
  return (
    <button aria-label={label} className={`icon-button ${className || "quiet"}`} title={label} type="button" {...rest}>
      {children}
    </button>
  );
}

export type SoundState = "silent" | "loading" | "playing";

interface ListenButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** Accessible name of the action. */
  label: string;
  sound: SoundState;
  size?: "normal" | "large";
}

const icons = { loading: "spinner", playing: "pause" } as const;

/** Lets something be heard: a vermilion triangle in a ring, celadon while it sounds. */
export function ListenButton({ label, sound, size = "normal", className = "", ...rest }: ListenButtonProps) {
  return (
    <button
      aria-label={label}
      className={`listen ${size === "large" ? "h-12 w-12 " : ""}${sound === "playing" ? "is-playing " : ""}${className}`}
      title={label}
      type="button"
      {...rest}
    >
      {/* The triangle is the style sheet's: pages full of cards are 2 kB smaller without it. */}
      {sound !== "silent" && (
        <Icon className={sound === "loading" ? "animate-spin" : undefined} name={icons[sound]} size={18} />
      )}
    </button>
  );
}

/** A small choice; its touch area reaches 44 px though it looks 32 px high. */
export function Chip({ children, ...rest }: ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button className="chip -my-1.5" type="button" {...rest}>
      <span className="px-2.5 text-xs sm:px-3">{children}</span>
    </button>
  );
}

/** A label beside another element. */
export function Badge({ children }: { children: ReactNode }) {
  return (
    <span className="inline-flex items-center whitespace-nowrap rounded-full border border-line px-2 py-0.5 text-xs text-muted">
      {children}
    </span>
  );
}

/** For a link's click: acts here, unless the link is to open in another tab or window. */
export const insteadOfLink = (act: () => void) => (event: MouseEvent) => {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  act();
};

interface ChipLinkProps {
  to: string;
  isCurrent: boolean;
  children: ReactNode;
}

/** A link to the list with one filter. */
export function ChipLink({ to, isCurrent, children }: ChipLinkProps) {
  return (
    <Link aria-current={isCurrent ? "true" : undefined} className="chip" discover="none" preventScrollReset to={to}>
      <span>{children}</span>
    </Link>
  );
}

/** When the focused button gives way to another one, the keyboard goes on from there instead of the top of the page. */
export function useRestoredFocus<Element extends HTMLElement>(): RefObject<Element> {
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
