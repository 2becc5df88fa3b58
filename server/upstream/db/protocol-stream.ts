import { Duplex } from "node:stream";

/** Sends protocol messages to the embedded database and resolves to its complete response, possibly empty. */
export type Exchange = (messages: Uint8Array) => Promise<Uint8Array>;

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
