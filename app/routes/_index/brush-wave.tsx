/** Heights of the strokes of one spoken sentence, in tenths of the drawing's half height. */
const stress = [1, 2, 5, 8, 6, 3, 1, 3, 7, 10, 8, 4, 2, 1, 1, 4, 6, 9, 7, 5, 2, 1, 2, 6, 8, 5, 3, 1, 1, 2, 4, 3, 1];
const pitch = 12;
const middle = 56;

/** A sentence written with a brush and signed with a seal: what the product does, as a picture. */
export function BrushWave({ className = "" }: { className?: string }) {
  const strokes = stress
    .map((height, index) => {
      const x = 6 + index * pitch;
      // A brush lands softly and lifts with a flick: each stroke leans and its lower end runs out longer.
      const up = height * 4.6;
      const down = height * 5.2;
      const width = 2.4 + height * 0.16;
      return `M${x + 1} ${middle - up}Q${x + width} ${middle - up * 0.2} ${x - 1} ${middle + down}Q${x - width} ${middle} ${x + 1} ${middle - up}z`;
    })
    .join("");
  const end = stress.length * pitch + 4;
  return (
    <svg aria-hidden="true" className={className} fill="none" viewBox={`0 0 ${end + 34} 112`}>
      <path d={strokes} fill="currentColor" />
      <rect fill="var(--seal)" height="30" rx="6" width="30" x={end} y={middle - 15} />
      <path
        d={`M${end + 7} ${middle - 1.5}v3m4-6v9m4-13v17m4-12.500v8m4-4.500v1.500`}
        stroke="var(--on-seal)"
        strokeLinecap="round"
        strokeWidth="2"
      />
    </svg>
  );
}
