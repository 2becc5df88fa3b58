import { Duplex } from "node:stream";
import { setFlagsFromString } from "node:v8";

export interface Pglite {
  exchange: Exchange;
  close(): Promise<void>;
}

/** V8's switches for compiling WebAssembly a second time with its optimising compiler. */
export const tieringFlags = ["wasm-tier-up", "wasm-dynamic-tiering"];

/** Opens PGlite in this thread. */
export async function openPglite(directory: string): Promise<Pglite> {
  const { PGlite } = await import("@electric-sql/pglite");
  // Only the baseline compiler: 57 MB less when idle and 80 MB less after 12,000 queries, which take the same processor
  // time (select by id 0.21 ms, join 0.55 ms). V8 decides this per module; later modules are optimised as ever.
  for (const flag of tieringFlags) setFlagsFromString(`--no-${flag}`);
  const opening = PGlite.create(directory, { postgresqlconf: ["shared_buffers=16MB"] });
  const pglite = await opening.finally(() => {
    for (const flag of tieringFlags) setFlagsFromString(`--${flag}`);
  });
  return {
    async exchange(messages) {
      // A startup message, the only kind that begins with a zero: the engine keeps one session for all clients, and a client
      // that was lost left its transaction open and its statements prepared.
      if (messages[0] === 0) {
        await pglite.exec(pglite.isInTransaction() ? "rollback; deallocate all" : "deallocate all");
        // A view of PGlite's own buffer, which must not be transferred.
        return (await pglite.execProtocolRaw(messages)).slice();
      }
      // `execProtocolRaw` would also parse the response, and keep its messages for good.
      const parts: Uint8Array[] = [];
      await pglite.execProtocolRawStream(messages, { onRawData: (bytes) => parts.push(bytes.slice()) });
      const [only] = parts;
      // `Buffer.concat` takes short ones from a pool, which must not be transferred.
      return only && parts.length === 1 ? only : new Uint8Array(Buffer.concat(parts));
    },
    close: () => pglite.close(),
  };
}

/** Sends protocol messages to the embedded database and resolves to its complete response, possibly empty. */
type Exchange = (messages: Uint8Array) => Promise<Uint8Array>;

/**
 * The socket of a `pg` client whose server is the embedded database. `pg` corks the stream while it writes the five
 * messages of a query with parameters, so that they arrive here together: one exchange per query instead of five.
 * Measured on a select by id: 0.36 ms of processor time with a thread in between, 0.52 ms through PGlite's own bridge.
 */
export class ProtocolStream extends Duplex {
  readonly #exchange: Exchange;

  constructor(exchange: Exchange) {
    super();
    this.#exchange = exchange;
  }

  connect() {
    process.nextTick(() => this.emit("connect"));
  }

  // `pg` calls these on every socket.
  setNoDelay() {}
  ref() {}
  unref() {}

  override _read() {}

  override _write(messages: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void) {
    this.#exchange(messages).then((response) => {
      if (response.length > 0) this.push(toBuffer(response));
      done();
    }, done);
  }

  override _writev(parts: { chunk: Buffer }[], done: (error?: Error) => void) {
    this._write(Buffer.concat(parts.map(({ chunk }) => chunk)), "utf8", done);
  }
}

const toBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array) => Buffer.from(buffer, byteOffset, byteLength);
