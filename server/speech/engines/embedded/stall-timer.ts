import { readFileSync } from "node:fs";

const tickMs = 1000;

/**
 * Counts the seconds in which a process gives no sign. Time in which it waits for a processor does not count: on a loaded
 * machine speech goes slowly, and a new process would need longer still. Time in which this process is busy counts as one
 * tick, because signs may have come that it has not read.
 */
export class StallTimer {
  readonly #pid: number | undefined;
  readonly #readWaitMs: (pid: number | undefined) => number;
  readonly #timer: NodeJS.Timeout;
  #waitMs: number;
  #countedMs = 0;

  constructor(
    pid: number | undefined,
    { seconds, onStall }: { seconds: number; onStall(): void },
    readWaitMs = readProcessorWaitMs,
  ) {
    this.#pid = pid;
    this.#readWaitMs = readWaitMs;
    this.#waitMs = readWaitMs(pid);
    this.#timer = setInterval(() => {
      this.#count();
      if (this.#countedMs < seconds * 1000) return;
      this.stop();
      onStall();
    }, tickMs);
  }

  /** The process gave a sign. */
  reset(): void {
    this.#countedMs = 0;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #count() {
    const before = this.#waitMs;
    this.#waitMs = this.#readWaitMs(this.#pid);
    this.#countedMs += Math.max(0, tickMs - (this.#waitMs - before));
  }
}

/** How long the main thread of a process has waited for a processor; 0 where the system does not tell, as without Linux. */
function readProcessorWaitMs(pid: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[1]) / 1e6 || 0;
  } catch {
    return 0;
  }
}
