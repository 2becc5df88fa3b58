import pLimit, { type LimitFunction } from "p-limit";
import { AppError } from "../errors";

interface FairLimits {
  /** At a time, for all callers. */
  concurrency: number;
  /** Pieces of one caller, from its admission to its end. */
  callerMax: number;
  /** Pieces of all callers that wait or run. */
  totalMax: number;
}

type RunInTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs work of several callers: one piece of each at a time, and in turns. */
export function createFairLimit({ concurrency, callerMax, totalMax }: FairLimits) {
  const all = pLimit(concurrency);
  const callers = new Map<string, { turns: LimitFunction; pieces: number }>();
  let total = 0;

  /**
   * Admits a piece of work, which `use` prepares and then runs in its turn. Throws too-many (429): before `use` for a
   * caller with `callerMax` pieces, and in `use` where `totalMax` pieces wait.
   */
  return async function admit<T>(caller: string, use: (run: RunInTurn) => Promise<T>): Promise<T> {
    const own = callers.get(caller) ?? { turns: pLimit(1), pieces: 0 };
    if (own.pieces >= callerMax) throw tooMany();
    own.pieces++;
    callers.set(caller, own);
    try {
      return await use(async (work) => {
        if (total >= totalMax) throw tooMany();
        total++;
        return await own.turns(() => all(work)).finally(() => total--);
      });
    } finally {
      own.pieces--;
      if (own.pieces === 0) callers.delete(caller);
    }
  };
}

const tooMany = () => new AppError("too-many", "too much waiting work", { status: 429, retryAfterSeconds: 10 });
