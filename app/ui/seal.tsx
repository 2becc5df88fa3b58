/** The seal: sound as strokes, carved out of vermilion. */
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
