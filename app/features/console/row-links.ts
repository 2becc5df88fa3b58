import { paths } from "~/paths";
import type { ConsoleOperation, ConsoleSection } from "~server/contract/console";

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
