import { paths } from "~/paths";
import type { ConsoleOperation, ConsoleSection } from "~server/contract/console";

const isFilled = (value: unknown) => value !== null && value !== undefined && value !== "";

/** Addresses of the operations of a row, by their names; those whose required columns are empty are left out. */
export function rowLinks(
  acts: ConsoleSection["acts"],
  operations: ConsoleOperation[],
  row: Record<string, unknown>,
  from: string,
): { name: string; to: string }[] {
  return acts.flatMap(({ name, fill, when }) => {
    const operation = operations.find((one) => one.name === name);
    const isOffered = !when || (when.startsWith("!") ? !row[when.slice(1)] : Boolean(row[when]));
    if (!operation || !isOffered) return [];
    const filled = Object.fromEntries(
      Object.entries(fill).flatMap(([field, key]) => (isFilled(row[key]) ? [[field, String(row[key])]] : [])),
    );
    const isMissing = operation.fields.some(
      (field) => field.isRequired && field.name in fill && !(field.name in filled),
    );
    return isMissing ? [] : [{ name, to: paths.consoleOperation(name, { ...filled, from }) }];
  });
}

/** Lists behind the counts of what waits. */
const waitingLists: Record<string, { name: string; input?: Record<string, string> }> = {
  anomalies: { name: "anomalies" },
  refundsAsked: { name: "orders", input: { refundAsked: "true" } },
  invoicesAsked: { name: "invoices", input: { state: "ASKED" } },
  proofs: { name: "proofs" },
  reports: { name: "reports" },
};

/** The address of the list that a count of the table `waiting` counts; undefined where this operator has none. */
export function waitingLink(key: string, operations: ConsoleOperation[]): string | undefined {
  const list = waitingLists[key];
  if (!list || !operations.some(({ name }) => name === list.name)) return undefined;
  return paths.consoleOperation(list.name, list.input);
}
