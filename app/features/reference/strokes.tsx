const height = 28;
const pitch = 4;

/** Sound as brush strokes: each a lens, pointed where the brush lands and lifts. Stretches to its box. */
export function Strokes({ heights, className = "" }: { heights: readonly number[]; className?: string }) {
  const middle = height / 2;
  const path = heights
    .map((value, index) => {
      const x = index * pitch + pitch / 2;
      const reach = Math.max(1.5, Math.min(1, value) * middle);
      return `M${x} ${(middle - reach).toFixed(1)}q1.700 ${reach.toFixed(1)} 0 ${(2 * reach).toFixed(1)}q-1.700-${reach.toFixed(1)} 0-${(2 * reach).toFixed(1)}`;
    })
    .join("");
  return (
    <svg
      aria-hidden="true"
      className={`h-7 min-w-0 flex-1 ${className}`}
      preserveAspectRatio="none"
      viewBox={`0 0 ${Math.max(1, heights.length) * pitch} ${height}`}
    >
      <path d={path} fill="currentColor" />
    </svg>
  );
}
