import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod/v4";

/** What the installer tells of a model, through a file in the models' folder: the api and the workers all see it. */
const arrivalShape = z.object({
  set: z.string(),
  step: z.enum(["files", "runtime", "trying", "failed"]),
  received: z.number(),
  total: z.number(),
  bytesPerSecond: z.number(),
  /** Epoch milliseconds. */
  at: z.number(),
});
export type Arrival = z.infer<typeof arrivalShape>;

const fileOf = (folder: string) => join(folder, "arrival.json");
const writeEveryMs = 500;
const beatMs = 5_000;
/** Several beats: the installer was killed. */
const staleMs = 30_000;

/** The installation that is under way or failed last; null if there is none. */
export function readArrival(folder: string): Arrival | null {
  const arrival = readJson(fileOf(folder), arrivalShape);
  if (!arrival) return null;
  return arrival.step === "failed" || Date.now() - arrival.at < staleMs ? arrival : null;
}

export interface ArrivalReport {
  update(change: Partial<Pick<Arrival, "step" | "received" | "bytesPerSecond">>): void;
  /** A failure stays readable until the next attempt. */
  end(outcome: "done" | "failed"): void;
}

export function reportArrival(folder: string, begun: Pick<Arrival, "set" | "total">): ArrivalReport {
  let now: Arrival = { ...begun, step: "files", received: 0, bytesPerSecond: 0, at: Date.now() };
  const write = () => {
    now.at = Date.now();
    writeJson(fileOf(folder), now);
  };
  const timer = setInterval(write, beatMs);
  timer.unref();
  write();
  return {
    update(change) {
      const isStep = change.step !== undefined && change.step !== now.step;
      now = { ...now, ...change };
      if (isStep || Date.now() - now.at >= writeEveryMs) write();
    },
    end(outcome) {
      clearInterval(timer);
      now.step = "failed";
      if (outcome === "failed") write();
      else rmSync(fileOf(folder), { force: true });
    },
  };
}

const declinedOf = (folder: string) => join(folder, "declined.json");

/** Models that a person removed or cancelled: they do not come by themselves again. */
export const readDeclined = (folder: string): string[] => readJson(declinedOf(folder), z.array(z.string())) ?? [];

export function setDeclined(folder: string, set: string, isDeclined: boolean): void {
  const others = readDeclined(folder).filter((name) => name !== set);
  if (isDeclined || readDeclined(folder).length > others.length)
    writeJson(declinedOf(folder), isDeclined ? [...others, set] : others);
}

function readJson<T>(path: string, shape: z.ZodType<T>): T | null {
  try {
    return shape.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return null;
  }
}

function writeJson(path: string, value: unknown): void {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(`${path}.${process.pid}`, JSON.stringify(value));
  renameSync(`${path}.${process.pid}`, path);
}
