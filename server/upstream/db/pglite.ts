import { setFlagsFromString } from "node:v8";
import type { Exchange } from "./protocol-stream";

export interface Pglite {
  exchange: Exchange;
  close(): Promise<void>;
}

/** Opens PGlite in this thread. */
export async function openPglite(directory: string): Promise<Pglite> {
  // Read by V8 when it compiles a module: concurrent compilations keep the memory of their heaps, 30 MB more when idle.
  setFlagsFromString("--wasm-num-compilation-tasks=1");
  const { PGlite } = await import("@electric-sql/pglite");
  const pglite = await PGlite.create(directory, { postgresqlconf: ["shared_buffers=16MB"] });
  return {
    async exchange(messages) {
      // A startup message, the only kind that begins with a zero: a client that was lost inside a transaction left it open.
      if (messages[0] === 0 && pglite.isInTransaction()) await pglite.exec("rollback");
      const response = await pglite.execProtocolRaw(messages);
      // The response to a startup message is a view of PGlite's own buffer, which must not be transferred.
      return response.byteLength === response.buffer.byteLength ? response : response.slice();
    },
    close: () => pglite.close(),
  };
}
