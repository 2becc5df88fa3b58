import { Link } from "@remix-run/react";
import { consoleCopy, consoleWord, operationName } from "~/copy/console";
import { paths } from "~/paths";
import { buttonClass } from "~/ui/button";
import type { CellKind, ConsoleOperation, ConsoleSection } from "~server/contract/console";
import { formatCell } from "./cells";

interface SectionTableProps {
  section: ConsoleSection;
  /** The operations that this operator may do. */
  operations: ConsoleOperation[];
  /** The page's own operation and input, for paging, the CSV file, and the way back. */
  page?: { name: string; input: Record<string, string> } | undefined;
}

const cellClass = "border-b border-line px-2.5 py-2 text-left align-top";
/** On phones what can be done stays in sight while the columns scroll. */
const actsClass = `${cellClass} max-md:sticky max-md:right-0 max-md:bg-paper`;

/** A table of an operation's answer, with what can be done about each row. */
export function SectionTable({ section, operations, page }: SectionTableProps) {
  const { name, columns, rows } = section;
  const headingId = `section-${name}`;
  const allowed = new Set(operations.map((operation) => operation.name));
  const acts = section.acts.filter((act) => allowed.has(act.name) && act.name !== page?.name);
  const linkOf = (key: string) => (name === "waiting" ? waitingLink(key, operations) : undefined);
  const from = page ? paths.consoleOperation(page.name, page.input) : paths.console;
  return (
    <div className="mt-6">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 className="font-song text-lg font-semibold" id={headingId}>
          {consoleWord(name)}
        </h2>
        {page && rows.length > 0 && (
          <a className="text-sm underline" href={paths.consoleCsv(page.name, { ...page.input, section: name })}>
            {consoleCopy.csv}
          </a>
        )}
      </div>
      {rows.length === 0 ? (
        <p className="mt-2 text-sm text-muted">{consoleCopy.empty}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard
        <section aria-labelledby={headingId} className="mt-2 overflow-x-auto" tabIndex={0}>
          <table className="tabular w-full border-collapse text-sm">
            <thead>
              <tr>
                {columns.map(({ key }) => (
                  <th className={`${cellClass} whitespace-nowrap text-muted`} key={key} scope="col">
                    {consoleWord(key, name)}
                  </th>
                ))}
                {acts.length > 0 && (
                  <th className={`${actsClass} text-muted`} scope="col">
                    {consoleCopy.more}
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows of one answer do not move
                <tr key={at}>
                  {columns.map(({ key, kind }) => (
                    <Cell key={key} kind={kind} to={linkOf(key)} value={row[key]} />
                  ))}
                  {acts.length > 0 && (
                    <td className={actsClass}>
                      <RowActs links={rowLinks(acts, operations, row, from)} />
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {page && section.next && (
        <p className="mt-3">
          <Link
            className={buttonClass()}
            to={paths.consoleOperation(page.name, { ...page.input, after: section.next })}
          >
            {consoleCopy.next}
          </Link>
        </p>
      )}
    </div>
  );
}

/** Longer texts break, so that the table stays narrow. */
const shortLength = 20;

function Cell({ value, kind, to }: { value: unknown; kind: CellKind; to: string | undefined }) {
  const text = formatCell(value, kind);
  const isShort = text.length <= shortLength;
  return (
    <td className={`${cellClass} ${isShort ? "whitespace-nowrap" : "min-w-[12em] max-w-[22em] break-words"}`}>
      {to ? (
        <Link className="inline-block py-1 underline" to={to}>
          {text}
        </Link>
      ) : (
        text
      )}
    </td>
  );
}

function RowActs({ links }: { links: ReturnType<typeof rowLinks> }) {
  return (
    <ul className="flex min-w-[9em] flex-wrap gap-x-3 gap-y-1">
      {links.map(({ name, to }) => (
        <li key={name}>
          <Link className="inline-block whitespace-nowrap py-1 underline" to={to}>
            {operationName(name)}
          </Link>
        </li>
      ))}
    </ul>
  );
}

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

type Row = ConsoleSection["rows"][number];

/** Addresses of the operations of a row, by their names; those whose required columns are empty are left out. */
export function rowLinks(acts: ConsoleSection["acts"], operations: ConsoleOperation[], row: Row, from: string) {
  return acts.flatMap(({ name, fill, when }) => {
    const operation = operations.find((one) => one.name === name);
    const isOffered = !when || (when.startsWith("!") ? !row[when.slice(1)] : Boolean(row[when]));
    if (!operation || !isOffered) return [];
    const texts = Object.entries(fill).map(([field, key]) => [field, String(row[key] ?? "")] as const);
    const filled = Object.fromEntries(texts.filter(([, text]) => text !== ""));
    const isNeeded = (field: string) => operation.fields.some((one) => one.isRequired && one.name === field);
    if (texts.some(([field, text]) => text === "" && isNeeded(field))) return [];
    return [{ name, to: paths.consoleOperation(name, { ...filled, from }) }];
  });
}

/** Lists behind counts of the table `waiting` that are not named like their operation. */
const waitingLists: Record<string, [name: string, input: Record<string, string>]> = {
  refundsAsked: ["orders", { refundAsked: "true" }],
  invoicesAsked: ["invoices", { state: "ASKED" }],
};

/** The address of the list behind a count; undefined where this operator has none. */
export function waitingLink(key: string, operations: ConsoleOperation[]): string | undefined {
  const [list, input = {}] = waitingLists[key] ?? [key];
  return operations.some(({ name }) => name === list) ? paths.consoleOperation(list, input) : undefined;
}
