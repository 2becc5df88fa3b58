import { SpeechError } from "../../engine";
import type { Answer, TaskKind, Tasks } from "./child";
import { type Child, startChild } from "./child";

export interface PoolOptions {
  /** Processes, so tasks at once. */
  size: number;
  /** Tasks that may wait; the next is refused with 'overloaded'. */
  maxQueue: number;
  /** From the start of the work; then 'timeout'. */
  timeoutMs: number;
  /** A process that has grown beyond this starts afresh after its task. */
  residentMb: number;
  /** How long a cancelled process may take to say so before it is killed. */
  graceMs: number;
}

export interface Pool {
  /** Parts as they come, then ends; throws SpeechError and nothing else. Leaving the loop early cancels. */
  run<Kind extends TaskKind>(
    kind: Kind,
    ask: Tasks[Kind]["ask"],
    options?: RunOptions<Kind>,
  ): Promise<Tasks[Kind]["result"]>;
  processIds(): number[];
  close(): void;
}

export interface RunOptions<Kind extends TaskKind> {
  signal?: AbortSignal;
  onPart?(part: Tasks[Kind]["part"]): void;
}

interface Job {
  id: number;
  kind: TaskKind;
  ask: unknown;
  /** Has answered already, or has been given to a second process: no third chance. */
  isCommitted: boolean;
  onPart?(part: unknown): void;
  resolve(result: unknown): void;
  reject(error: SpeechError): void;
}

interface Slot {
  child: Child | null;
  job: Job | null;
  askedAt: number;
  timer: NodeJS.Timeout | undefined;
}

const heapMb = 192;
const stillbornMs = 100;

/** Speech processes that start when first needed; whatever happens to one concerns only the task it had. */
export function createPool(limits: PoolOptions): Pool {
  const slots: Slot[] = Array.from({ length: limits.size }, () => ({
    child: null,
    job: null,
    askedAt: 0,
    timer: undefined,
  }));
  const queue: Job[] = [];
  let lastId = 0;
  let closed = false;

  function childOf(slot: Slot): Child {
    if (slot.child) return slot.child;
    const child = startChild(heapMb, {
      onAnswer: (answer) => slot.child === child && receive(slot, answer),
      onEnd: (reason) => {
        if (slot.child !== child) return;
        slot.child = null;
        settle(slot, (job) => takeBack(job, slot.askedAt, queue) || job.reject(new SpeechError("engine", reason)));
      },
    });
    slot.child = child;
    return child;
  }

  function receive(slot: Slot, answer: Answer) {
    const { job } = slot;
    if (job?.id !== answer.id) return;
    job.isCommitted = true;
    if ("part" in answer) return job.onPart?.(answer.part);
    if (answer.residentBytes > limits.residentMb * 1024 * 1024) discard(slot);
    if ("result" in answer) settle(slot, () => job.resolve(answer.result));
    else settle(slot, () => job.reject(new SpeechError(answer.fault, answer.message)));
  }

  function settle(slot: Slot, tell: (job: Job) => void) {
    const { job } = slot;
    clearTimeout(slot.timer);
    slot.job = null;
    slot.child?.hold(false);
    if (job) tell(job);
    dispatch();
  }

  function dispatch() {
    // A process that is warm already goes first.
    const free = slots
      .filter(({ job }) => job === null)
      .sort((a, b) => Number(b.child !== null) - Number(a.child !== null));
    for (const slot of free) {
      const job = queue.shift();
      if (!job) return;
      slot.job = job;
      slot.askedAt = performance.now();
      slot.timer = setTimeout(() => fail(slot, "timeout"), limits.timeoutMs);
      const child = childOf(slot);
      child.hold(true);
      child.send({ id: job.id, kind: job.kind, ask: job.ask as never });
    }
  }

  function fail(slot: Slot, fault: "timeout" | "cancelled") {
    discard(slot);
    settle(slot, (job) => job.reject(new SpeechError(fault, `A ${job.kind} task ended: ${fault}`)));
  }

  function cancel(job: Job) {
    const waiting = queue.indexOf(job);
    if (waiting >= 0) {
      queue.splice(waiting, 1);
      return;
    }
    const slot = slots.find((candidate) => candidate.job === job);
    if (!slot) return;
    slot.child?.send({ id: job.id, kind: "cancel" });
    clearTimeout(slot.timer);
    slot.timer = setTimeout(() => fail(slot, "cancelled"), limits.graceMs);
  }

  function run<Kind extends TaskKind>(kind: Kind, ask: Tasks[Kind]["ask"], options: RunOptions<Kind> = {}) {
    if (closed) return Promise.reject(new SpeechError("engine", "The engine is closed"));
    if (options.signal?.aborted) return Promise.reject(new SpeechError("cancelled", "Cancelled before it began"));
    if (queue.length >= limits.maxQueue) return Promise.reject(new SpeechError("overloaded", "Too many tasks wait"));
    return new Promise<Tasks[Kind]["result"]>((resolve, reject) => {
      const job: Job = {
        id: ++lastId,
        kind,
        ask,
        isCommitted: false,
        ...listen(options, { resolve, reject, abort: () => cancel(job) }),
      };
      queue.push(job);
      dispatch();
    });
  }

  function close() {
    closed = true;
    for (const job of queue.splice(0)) job.reject(new SpeechError("cancelled", "The engine closes"));
    for (const slot of slots) {
      discard(slot);
      settle(slot, (job) => job.reject(new SpeechError("cancelled", "The engine closes")));
    }
  }

  return { run, close, processIds: () => slots.flatMap(({ child }) => child?.pid ?? []) };
}

/** A process that was dead before it was asked costs the task nothing: another takes it, once. */
function takeBack(job: Job, askedAt: number, queue: Job[]): boolean {
  if (job.isCommitted || performance.now() - askedAt > stillbornMs) return false;
  job.isCommitted = true;
  queue.unshift(job);
  return true;
}

function discard(slot: Slot) {
  const { child } = slot;
  slot.child = null;
  child?.kill();
}

interface Caller<Kind extends TaskKind> {
  resolve(result: Tasks[Kind]["result"]): void;
  reject(error: SpeechError): void;
  abort(): void;
}

/** The caller's side of a task: it hears of its own cancelling at once, whatever the process still does. */
function listen<Kind extends TaskKind>({ signal, onPart }: RunOptions<Kind>, { resolve, reject, abort }: Caller<Kind>) {
  const leave = () => {
    abort();
    reject(new SpeechError("cancelled", "The caller cancelled"));
  };
  signal?.addEventListener("abort", leave, { once: true });
  const done = <Value>(tell: (value: Value) => void) => {
    return (value: Value) => {
      signal?.removeEventListener("abort", leave);
      tell(value);
    };
  };
  return {
    onPart: (part: unknown) => {
      if (!signal?.aborted) onPart?.(part as Tasks[Kind]["part"]);
    },
    resolve: done((result: unknown) => resolve(result as Tasks[Kind]["result"])),
    reject: done(reject),
  };
}
