import { consoleCopy, consoleWord } from "~/copy/console";
import type { CellKind, ConsoleSection } from "~server/contract/console";
import { formatCell } from "./cells";

const charted: { key: string; kind: CellKind }[] = [
  { key: "paidFen", kind: "fen" },
  { key: "signUps", kind: "number" },
  { key: "generations", kind: "number" },
  { key: "failures", kind: "number" },
];
const barWidth = 8;
const height = 48;

/** Figures by day, newest first, as small bars; the table beside them has the numbers. */
export function DayCharts({ section: { rows } }: { section: ConsoleSection }) {
  const days = [...rows].reverse();
  return (
    <div className="mt-4 grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
      {charted.map(({ key, kind }) => {
        const values = days.map((row) => Number(row[key] ?? 0));
        const sum = (count: number) =>
          formatCell(
            values.slice(-count).reduce((total, value) => total + value, 0),
            kind,
          );
        const most = Math.max(1, ...values);
        return (
          <figure className="card m-0 p-4" key={key}>
            <figcaption>
              <span className="block text-sm font-semibold">{consoleWord(key)}</span>
              <span className="tabular block text-xs text-muted">{consoleCopy.sum(7, sum(7))}</span>
              <span className="tabular block text-xs text-muted">
                {consoleCopy.sum(values.length, sum(values.length))}
              </span>
            </figcaption>
            <svg
              aria-hidden="true"
              className="mt-2 w-full text-celadon"
              preserveAspectRatio="none"
              style={{ height }}
              viewBox={`0 0 ${values.length * barWidth} ${height}`}
            >
              {values.map((value, at) => (
                <rect
                  fill="currentColor"
                  height={Math.max(1, (value / most) * height)}
                  // biome-ignore lint/suspicious/noArrayIndexKey: one bar for each day
                  key={at}
                  width={barWidth - 2}
                  x={at * barWidth}
                  y={height - Math.max(1, (value / most) * height)}
                />
              ))}
            </svg>
          </figure>
        );
      })}
    </div>
  );
}
