/** One measurement. `budget` puts it on docs/bench.md; `beside` is another figure of the same run. */
export interface Row {
  name: string;
  value: number;
  unit: string;
  budget?: string;
  beside?: string;
  /** Page, call or action with this value, of several. */
  where?: string;
}

const digits = (value: number) => (Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2);

const figureOf = ({ name, value, unit, where }: Row) =>
  `${value.toFixed(digits(value))} ${unit}`.trim() + (where && !name.endsWith(where) ? ` (${where})` : "");

const toLines = (cells: string[][]) => cells.map((line) => `| ${line.join(" | ")} |`);

/** A Markdown table of measurements, readable in a terminal too. */
export function toTable(title: string, rows: readonly Row[]): string {
  const cells = rows.map((row) => [row.name, figureOf(row), row.budget ?? row.beside ?? ""]);
  return `## ${title}\n\n${toLines([["what", "figure", "budget or comparison"], ["---", "---:", "---"], ...cells]).join("\n")}\n`;
}

/** The page of figures: rows with a budget, those of this run in place of the earlier ones. */
export function toPage(before: string, rows: readonly Row[], machine: string): string {
  const lines = before.split("\n");
  const at = lines.findIndex((line) => line.startsWith("| --- "));
  const head = lines.slice(0, at + 1).map((line) => (line.startsWith("Measured ") ? `Measured on ${machine}.` : line));
  const kept = new Map(lines.slice(at + 1).flatMap((line) => (line.startsWith("| ") ? [[nameIn(line), line]] : [])));
  for (const row of rows)
    if (row.budget) kept.set(row.name, toLines([[row.name, row.budget, figureOf(row)]])[0] as string);
  const rest = lines.slice(at + 1).filter((line) => !line.startsWith("| "));
  return [...head, ...kept.values(), ...rest].join("\n");
}

const nameIn = (line: string) => line.split(" | ")[0]?.slice(2) ?? "";

type Extreme = "lowest" | "highest";

/** The value of those that is the furthest from a good one, for the page. */
export function worstOf(
  rows: readonly Row[],
  { name, budget, which }: { name: string; budget: string; which: Extreme },
): Row {
  const sorted = [...rows].sort((a, b) => a.value - b.value);
  const worst = which === "lowest" ? sorted[0] : sorted.at(-1);
  if (!worst) throw new Error(`nothing was measured for ${name}`);
  return { name, value: worst.value, unit: worst.unit, budget, where: worst.where ?? worst.name };
}
