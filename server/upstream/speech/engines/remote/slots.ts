import { SpeechError } from "../../engine";

export interface Slots {
  /** Waits for a turn and gives the way to hand it back. Throws 'overloaded' where not even waiting is possible, and 'cancelled'. */
  take(signal: AbortSignal): Promise<() => void>;
}

interface Waiting {
  begin(): void;
}

/** No more at once than a server was set up for; first come, first served. */
export function createSlots({ concurrency, maxQueue }: { concurrency: number; maxQueue: number }): Slots {
  const queue: Waiting[] = [];
  let busy = 0;

  const free = () => {
    busy--;
    queue.shift()?.begin();
  };
  const take = () => {
    busy++;
    let isHeld = true;
    return () => {
      if (isHeld) free();
      isHeld = false;
    };
  };

  return {
    async take(signal) {
      if (signal.aborted) throw new SpeechError("cancelled", "Cancelled before it began");
      if (busy < concurrency) return take();
      if (queue.length >= maxQueue) throw new SpeechError("overloaded", "Too many requests wait");
      return new Promise((resolve, reject) => {
        const leave = () => {
          queue.splice(queue.indexOf(waiting), 1);
          reject(new SpeechError("cancelled", "Cancelled while it waited"));
        };
        const waiting: Waiting = {
          begin() {
            signal.removeEventListener("abort", leave);
            resolve(take());
          },
        };
        signal.addEventListener("abort", leave, { once: true });
        queue.push(waiting);
      });
    },
  };
}
