import type { ClientBase } from "pg";

/** A statement takes about 20 kB of the engine's memory. Lists of values make ever new texts: those beyond stay unnamed. */
const namesMax = 400;

/**
 * Prepares each text with parameters once per connection, under a name. Without one the engine parses and plans it anew
 * for every query.
 */
export function nameStatements(client: ClientBase): void {
  const names = new Map<unknown, string>();
  const query = client.query as (...sent: unknown[]) => unknown;
  const nameOf = (text: string) => {
    if (!names.has(text) && names.size < namesMax) names.set(text, `s${names.size}`);
    return names.get(text);
  };
  client.query = ((text: unknown, values: unknown, ...rest: unknown[]) => {
    const isParameterised = typeof text === "string" && Array.isArray(values) && values.length > 0;
    const name = isParameterised ? nameOf(text) : undefined;
    return name ? query.call(client, { name, text, values }, ...rest) : query.call(client, text, values, ...rest);
  }) as typeof client.query;
}
