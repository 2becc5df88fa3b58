/** One measurement. `reference` is the design's target, or the baseline measured in the same run. */
export interface Row {
  name: string;
  value: number;
  unit: string;
  reference?: string;
}

const digits = (value: number) =>
  Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 0.1 ? 2 : 4;

/** A Markdown table of measurements, readable in a terminal too. */
export function toTable(title: string, rows: Row[]): string {
  const cells = rows.map((row) => [
    row.name,
    `${row.value.toFixed(digits(row.value))} ${row.unit}`.trim(),
    row.reference ?? "",
  ]);
  const lines = [["figure", "measured", "reference"], ["---", "---:", "---"], ...cells].map(
    (line) => `| ${line.join(" | ")} |`,
  );
  return `## ${title}\n\n${lines.join("\n")}\n`;
}
