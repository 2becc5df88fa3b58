import type { ReactNode } from "react";

/** A picture beside words: hidden from assistive technology, so what it decorates must have an accessible name. */
export function Icon({ name, ...sheet }: Omit<IconFrameProps, "children"> & { name: IconName }) {
  return <IconFrame {...sheet}>{shapes[name]}</IconFrame>;
}

export interface IconFrameProps {
  size?: number;
  className?: string | undefined;
  /** Stroke width, where the style class's does not fit: dots need a heavier one. */
  strokeWidth?: number | undefined;
  children: ReactNode;
}

/** The 24-unit sheet that every line icon is drawn on; its style class says the rest. Hidden from assistive technology. */
export function IconFrame({ size = 20, className, strokeWidth, children }: IconFrameProps) {
  return (
    <svg
      aria-hidden="true"
      className={className ? `icon ${className}` : "icon"}
      height={size}
      strokeWidth={strokeWidth}
      viewBox="0 0 24 24"
      width={size}
    >
      {children}
    </svg>
  );
}

/** Line icons on a 24-unit grid, drawn with one stroke weight; a filled part says so itself. */
export const shapes = {
  home: <path d="M4 11 12 4l8 7v9h-5v-6H9v6H4z" />,
  mic: (
    <>
      <rect x="9" y="3" width="6" height="11" rx="3" />
      <path d="M5 11a7 7 0 0 0 14 0M12 18v3" />
    </>
  ),
  person: (
    <>
      <circle cx="12" cy="8" r="4" />
      <path d="M4 21c1-5 4-7 8-7s7 2 8 7" />
    </>
  ),
  script: <path d="M4 6h16M4 12h10M4 18h7M17 14v6M20 16v2" />,
  grid: <path d="M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z" />,
  upload: <path d="M12 16V4m0 0L7 9m5-5 5 5M4 16v4h16v-4" />,
  download: <path d="M12 4v12m0 0 5-5m-5 5-5-5M4 20h16" />,
  play: <path d="M7 4.500 19 12 7 19.500z" fill="currentColor" stroke="none" />,
  pause: <path d="M6 4h4v16H6zM14 4h4v16h-4z" fill="currentColor" stroke="none" />,
  stop: <rect x="6" y="6" width="12" height="12" rx="2" fill="currentColor" stroke="none" />,
  check: <path d="m5 12.500 4.500 4.500L19 7" />,
  close: <path d="m6 6 12 12M18 6 6 18" />,
  alert: (
    <>
      <circle cx="12" cy="12" r="9" />
      <path d="M12 7v6M12 16.500v.500" />
    </>
  ),
  retake: <path d="M4.500 12a7.500 7.500 0 1 0 2.500-5.600M4 4v4.500h4.500" />,
  scissors: (
    <>
      <circle cx="6" cy="7" r="2.500" />
      <circle cx="6" cy="17" r="2.500" />
      <path d="M8 8.500 20 17M8 15.500 20 7" />
    </>
  ),
  sun: (
    <>
      <circle cx="12" cy="12" r="4" />
      <path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.600 5.600 7 7M17 17l1.400 1.400M5.600 18.400 7 17M17 7l1.400-1.400" />
    </>
  ),
  moon: <path d="M19.500 14.500A8 8 0 0 1 9.500 4.500a8 8 0 1 0 10 10z" />,
  contrast: (
    <>
      <circle cx="12" cy="12" r="8" />
      <path d="M12 4a8 8 0 0 1 0 16z" fill="currentColor" />
    </>
  ),
  lock: (
    <>
      <rect x="5" y="11" width="14" height="9" rx="2" />
      <path d="M8 11V8a4 4 0 0 1 8 0v3" />
    </>
  ),
  arrow: <path d="M5 12h14m0 0-6-6m6 6-6 6" />,
  spinner: <path d="M12 3.500a8.500 8.500 0 1 1-8.500 8.500" />,
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof shapes;

/** The logo: white bars of sound on a vermilion seal. */
export function Seal({ size = 30 }: { size?: number }) {
  return (
    <span
      aria-hidden="true"
      className="grid shrink-0 place-items-center bg-seal text-on-seal"
      style={{ width: size, height: size, borderRadius: size * 0.23 }}
    >
      <svg
        aria-hidden="true"
        fill="none"
        height={size * 0.6}
        stroke="currentColor"
        strokeLinecap="round"
        strokeWidth="2"
        viewBox="0 0 18 18"
        width={size * 0.6}
      >
        <path d="M2 8v2M5.500 5v8M9 2v14M12.500 5.500v7M16 8v2" />
      </svg>
    </span>
  );
}

/** An interrupted waveform: the picture of missing pages and lists without entries. */
export function Blot({ isSmall = false }: { isSmall?: boolean }) {
  const height = isSmall ? 32 : 56;
  return (
    <svg aria-hidden="true" fill="none" height={height} strokeLinecap="round" viewBox="0 0 224 56" width={height * 4}>
      <path
        d="M4 25v6M14 21v14M24 15v26M34 8v40M44 3v50M54 12v32M64 6v44M74 18v20M84 23v10"
        stroke="currentColor"
        strokeWidth="4"
      />
      <circle cx="108" cy="28" fill="var(--seal)" r="6" />
      <path d="M132 28h88" stroke="var(--edge)" strokeDasharray="0.1 10" strokeWidth="3" />
    </svg>
  );
}

const waveformHeight = 28;
const barSpacing = 4;
const middle = waveformHeight / 2;

interface WaveformBarsProps {
  /** 0–1. */
  heights: readonly number[];
  /** Bars that are drawn in green. */
  bright?: readonly boolean[];
  className?: string;
}

/** A waveform drawn as brush strokes; stretches to its box. */
export function WaveformBars({ heights, bright, className = "" }: WaveformBarsProps) {
  const strokes = heights.map((value, index) => {
    const x = index * barSpacing + barSpacing / 2;
    const reach = Math.max(1.5, Math.min(1, value) * middle);
    return `M${x} ${(middle - reach).toFixed(1)}q1.700 ${reach.toFixed(1)} 0 ${(2 * reach).toFixed(1)}q-1.700-${reach.toFixed(1)} 0-${(2 * reach).toFixed(1)}`;
  });
  const path = (isBright: boolean) => strokes.filter((_, index) => (bright?.[index] ?? false) === isBright).join("");
  return (
    <svg
      aria-hidden="true"
      className={`h-7 min-w-0 flex-1 ${className}`}
      preserveAspectRatio="none"
      viewBox={`0 0 ${Math.max(1, heights.length) * barSpacing} ${waveformHeight}`}
    >
      <path d={path(false)} fill="currentColor" />
      {bright && <path d={path(true)} fill="var(--celadon)" />}
    </svg>
  );
}
