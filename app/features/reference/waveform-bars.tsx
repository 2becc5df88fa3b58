const height = 28;
const barSpacing = 4;

/** A waveform drawn as brush strokes; stretches to its box. `heights` are 0–1. */
export function WaveformBars({ heights, className = "" }: { heights: readonly number[]; className?: string }) {
  const middle = height / 2;
  const path = heights
    .map((value, index) => {
      const x = index * barSpacing + barSpacing / 2;
      const reach = Math.max(1.5, Math.min(1, value) * middle);
      return `M${x} ${(middle - reach).toFixed(1)}q1.700 ${reach.toFixed(1)} 0 ${(2 * reach).toFixed(1)}q-1.700-${reach.toFixed(1)} 0-${(2 * reach).toFixed(1)}`;
    })
    .join("");
  return (
    <svg
      aria-hidden="true"
      className={`h-7 min-w-0 flex-1 ${className}`}
      preserveAspectRatio="none"
      viewBox={`0 0 ${Math.max(1, heights.length) * barSpacing} ${height}`}
    >
      <path d={path} fill="currentColor" />
    </svg>
  );
}
