import { SpeechError } from "../../engine";
import { type Child, type ChildAnswer, startChild, type TaskKind, type Tasks } from "./child";

export interface PoolOptions {
  /** Number of processes, and so of concurrent tasks. */
  size: number;
  /** Maximum number of waiting tasks; further ones fail with 'overloaded'. */
  maxQueue: number;
  /** Maximum run time of a task; then 'timeout'. */
  timeoutMs: number;
  /** Processes above this resident size are restarted after their task. */
  residentMb: number;
  /** Time for a process to confirm a cancellation before it is killed. */
  graceMs: number;
  /** A process without a task for this time is ended; with its eSpeak it holds 170 MB. */
  idleMs: number;
}

interface Job {
  id: number;
  kind: TaskKind;
  input: unknown;
  /** Has sent a part or was retried once; not retried again. */
  isFinal: boolean;
  onPart(part: unknown): void;
  resolve(result: unknown): void;
  reject(error: SpeechError): void;
}

interface Slot {
  child: Child | null;
  job: Job | null;
  startedAt: number;
  timer: NodeJS.Timeout | undefined;
}

const createSlot = (): Slot => ({ child: null, job: null, startedAt: 0, timer: undefined });

const heapMb = 192;
const earlyExitMs = 100;

/** A pool of speech processes that start on demand; a crash affects only the task of that process. */
export class Pool {
  readonly #limits: PoolOptions;
  readonly #slots: Slot[];
  readonly #queue: Job[] = [];
  #lastId = 0;
  #closed = false;

  constructor(limits: PoolOptions) {
    this.#limits = limits;
    this.#slots = Array.from({ length: limits.size }, createSlot);
  }

  /** Runs a task, passing parts to `onPart`. Throws only SpeechError. */
  async run<Kind extends TaskKind>(
    kind: Kind,
    input: Tasks[Kind]["input"],
    { signal, onPart }: { signal?: AbortSignal | undefined; onPart?(part: Tasks[Kind]["part"]): void } = {},
  ): Promise<Tasks[Kind]["result"]> {
    if (this.#closed) throw new SpeechError("engine", "The engine is closed");
    if (signal?.aborted) throw new SpeechError("cancelled", "Cancelled before the start");
    if (this.#queue.length >= this.#limits.maxQueue) throw new SpeechError("overloaded", "Too many tasks are waiting");
    let abort = () => {};
    try {
      return await new Promise<Tasks[Kind]["result"]>((resolve, reject) => {
        const handlePart = (part: unknown) => {
          if (!signal?.aborted) onPart?.(part as Tasks[Kind]["part"]);
        };
        const settle = { resolve: resolve as (result: unknown) => void, reject };
        const job: Job = { id: ++this.#lastId, kind, input, isFinal: false, onPart: handlePart, ...settle };
        abort = () => {
          this.#cancel(job);
          reject(new SpeechError("cancelled", "The caller cancelled"));
        };
        signal?.addEventListener("abort", abort, { once: true });
        this.#queue.push(job);
        this.#dispatch();
      });
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  /** Starts a process unless one runs, for a task that is about to come. */
  warmUp(): void {
    const [slot] = this.#slots;
    if (this.#closed || !slot || this.#slots.some(({ child }) => child !== null)) return;
    this.#ensureChild(slot);
    // Not needed yet: it may be the last thing that this process does.
    this.#settle(slot, () => {});
  }

  processIds(): number[] {
    return this.#slots.flatMap(({ child }) => child?.pid ?? []);
  }

  close(): void {
    this.#closed = true;
    for (const job of this.#queue.splice(0)) job.reject(new SpeechError("cancelled", "The engine is closing"));
    for (const slot of this.#slots) {
      discard(slot);
      this.#settle(slot, (job) => job.reject(new SpeechError("cancelled", "The engine is closing")));
    }
  }

  #ensureChild(slot: Slot): Child {
    if (slot.child) return slot.child;
    const child = startChild(heapMb, {
      onAnswer: (answer) => slot.child === child && this.#receive(slot, answer),
      onEnd: (reason) => {
        if (slot.child !== child) return;
        slot.child = null;
        this.#settle(slot, (job) => {
          if (!requeue(job, slot.startedAt, this.#queue)) job.reject(new SpeechError("engine", reason));
        });
      },
    });
    slot.child = child;
    return child;
  }

  #receive(slot: Slot, answer: ChildAnswer) {
    const { job } = slot;
    if (job?.id !== answer.id) return;
    job.isFinal = true;
    if ("part" in answer) {
      job.onPart(answer.part);
      return;
    }
    if (answer.residentBytes > this.#limits.residentMb * 1024 * 1024) discard(slot);
    if ("result" in answer) this.#settle(slot, () => job.resolve(answer.result));
    else this.#settle(slot, () => job.reject(new SpeechError(answer.fault, answer.message)));
  }

  #settle(slot: Slot, notify: (job: Job) => void) {
    const { job } = slot;
    clearTimeout(slot.timer);
    slot.job = null;
    slot.child?.setBusy(false);
    if (job) notify(job);
    this.#dispatch();
    if (slot.child && !slot.job) slot.timer = setTimeout(() => discard(slot), this.#limits.idleMs).unref();
  }

  #dispatch() {
    for (const slot of freeOf(this.#slots)) {
      const job = this.#queue.shift();
      if (!job) return;
      slot.job = job;
      slot.startedAt = performance.now();
      clearTimeout(slot.timer);
      slot.timer = setTimeout(() => this.#fail(slot, "timeout"), this.#limits.timeoutMs);
      const child = this.#ensureChild(slot);
      child.setBusy(true);
      child.send({ id: job.id, kind: job.kind, input: job.input as never });
    }
  }

  #fail(slot: Slot, fault: "timeout" | "cancelled") {
    discard(slot);
    this.#settle(slot, (job) => job.reject(new SpeechError(fault, `Task ${job.kind} ended: ${fault}`)));
  }

  #cancel(job: Job) {
    const waiting = this.#queue.indexOf(job);
    if (waiting >= 0) {
      this.#queue.splice(waiting, 1);
      return;
    }
    const slot = this.#slots.find((candidate) => candidate.job === job);
    if (!slot) return;
    slot.child?.send({ id: job.id, kind: "cancel" });
    clearTimeout(slot.timer);
    slot.timer = setTimeout(() => this.#fail(slot, "cancelled"), this.#limits.graceMs);
  }
}

/** Slots without a task; those with a running process first. */
const freeOf = (slots: readonly Slot[]) =>
  slots.filter(({ job }) => job === null).sort((a, b) => Number(b.child !== null) - Number(a.child !== null));

/** Requeues the task once if its process died before it could start. */
function requeue(job: Job, startedAt: number, queue: Job[]): boolean {
  if (job.isFinal || performance.now() - startedAt > earlyExitMs) return false;
  job.isFinal = true;
  queue.unshift(job);
  return true;
}

function discard(slot: Slot) {
  const { child } = slot;
  slot.child = null;
  child?.kill();
}
