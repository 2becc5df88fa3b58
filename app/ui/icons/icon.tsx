import { type IconName, shapes } from "./shapes";

/** A picture beside words: hidden from assistive technology, so whatever it decorates must have a name of its own. */
export function Icon({ name, size = 20, className }: { name: IconName; size?: number; className?: string }) {
  return (
    <svg
      aria-hidden="true"
      className={className}
      fill="none"
      focusable="false"
      height={size}
      stroke="currentColor"
      strokeLinecap="round"
      strokeLinejoin="round"
      strokeWidth="1.7"
      viewBox="0 0 24 24"
      width={size}
    >
      {shapes[name]}
    </svg>
  );
}
