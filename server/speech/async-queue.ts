/** Hands values from callbacks to one reader, in order. The reader ends when the queue has ended and is empty. */
export class AsyncQueue<Value> {
  readonly #values: Value[] = [];
  #hasEnded = false;
  #wake = () => {};

  push(value: Value): void {
    this.#values.push(value);
    this.#wake();
  }

  end(): void {
    this.#hasEnded = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Value> {
    for (;;) {
      while (this.#values.length > 0) yield this.#values.shift() as Value;
      if (this.#hasEnded) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
