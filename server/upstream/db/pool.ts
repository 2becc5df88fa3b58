import type { PostgresPool, PostgresPoolClient } from "kysely";
import type { ClientBase, Pool, PoolClient } from "pg";
import { DatabaseUnavailable } from "../errors";

/** SQLSTATE: broken connection, shutdown, crash, start-up, time limits of sessions, too many connections. */
const endsConnection = /^(08...|57P..|25P0[34]|53300)$/;
/** SQLSTATE: a server that answers, and refuses user, password or database. */
const refusesSettings = /^(28...|3D...)$/;

/** A host with several addresses fails without a message, with a code alone. */
export const reasonOf = (error: unknown) =>
  error instanceof Error ? error.message || String("code" in error && error.code) : String(error);

const codeOf = (error: unknown) => String((error as { code?: unknown } | null)?.code);
const unavailable = (cause: unknown) => new DatabaseUnavailable(reasonOf(cause), { cause });

/**
 * The pool as kysely uses it. The end of a connection, idle or in use, ends neither this process nor another transaction:
 * its calls throw DatabaseUnavailable, and it is not returned to the pool.
 */
export function createResilientPool(pool: Pool): PostgresPool {
  const endings = new WeakMap<ClientBase, unknown>();
  const note = (client: ClientBase, error: unknown) => endings.has(client) || endings.set(client, error);
  // Without these listeners the end of a connection would end this process: pg reports idle ones to the pool alone.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", (error) => note(client, error)));

  const query = async (client: PoolClient, text: string, values: unknown[]) => {
    if (endings.has(client)) throw unavailable(endings.get(client));
    try {
      return await client.query(text, values);
    } catch (error) {
      if (endsConnection.test(codeOf(error))) note(client, error);
      throw endings.has(client) ? unavailable(endings.get(client)) : error;
    }
  };
  return {
    async connect() {
      const client = await pool.connect().catch((error: unknown) => {
        throw refusesSettings.test(codeOf(error)) ? error : unavailable(error);
      });
      const release = () => client.release(endings.has(client));
      // Without the overload for cursors, which nothing here uses.
      return { query: query.bind(null, client) as unknown as PostgresPoolClient["query"], release };
    },
    end: () => pool.end(),
  };
}
