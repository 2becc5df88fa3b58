import { formatYuan } from "~/copy/format";

/** Yuan with two decimals, the sign smaller than the number. */
export function Price({ fen, className = "" }: { fen: number; className?: string }) {
  const written = formatYuan(fen);
  return (
    <span className={`tabular font-song font-semibold ${className}`}>
      <span className="text-[0.55em]">{written.slice(0, 1)}</span>
      {written.slice(1)}
    </span>
  );
}
