import type { ReactNode } from "react";

export interface IconFrameProps {
  size?: number;
  className?: string | undefined;
  /** Of the one stroke; dots want a heavier one. */
  strokeWidth?: number;
  children: ReactNode;
}

/** The 24-unit sheet that every line icon is drawn on; hidden from assistive technology. */
export function IconFrame({ size = 20, className, strokeWidth = 1.7, children }: IconFrameProps) {
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
      strokeWidth={strokeWidth}
      viewBox="0 0 24 24"
      width={size}
    >
      {children}
    </svg>
  );
}
