import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod/v4";
import { type InstallFault, installFaults } from "./install";

/** What the installer tells of a model, through a file in the models' folder: the api and the workers all see it. */
const arrivalShape = z.object({
  set: z.string(),
  step: z.enum(["files", "runtime", "trying", "failed"]),
  received: z.number(),
  total: z.number(),
  bytesPerSecond: z.number(),
  fault: z.enum(installFaults).optional(),
  /** Epoch milliseconds. */
  at: z.number(),
});
export type Arrival = z.infer<typeof arrivalShape>;

const fileOf = (folder: string, set: string) => join(folder, `arrival-${set}.json`);
const writeEveryMs = 500;
const beatMs = 5_000;
/** Several beats: the installer was killed. */
const staleMs = 30_000;

/** The installation of a model that is under way or failed last; null if there is none. */
export function readArrival(folder: string, set: string): Arrival | null {
  const arrival = readJson(fileOf(folder, set), arrivalShape);
  if (!arrival) return null;
  return arrival.step === "failed" || Date.now() - arrival.at < staleMs ? arrival : null;
}

export interface ArrivalReport {
  update(change: Partial<Pick<Arrival, "step" | "received" | "bytesPerSecond">>): void;
  /** A failure stays readable until the next attempt. */
  end(outcome: "done" | InstallFault): void;
}

export function reportArrival(folder: string, begun: Pick<Arrival, "set" | "total">): ArrivalReport {
  let now: Arrival = { ...begun, step: "files", received: 0, bytesPerSecond: 0, at: Date.now() };
  const write = () => {
    now.at = Date.now();
    writeJson(fileOf(folder, begun.set), now);
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
      if (outcome === "done") return rmSync(fileOf(folder, begun.set), { force: true });
      now = { ...now, step: "failed", fault: outcome };
      write();
    },
  };
}

/** Models that a person removed or cancelled: they do not come by themselves again. */
export const readDeclined = (folder: string): string[] => readNames(folder, "declined");
export const setDeclined = (folder: string, set: string, isDeclined: boolean): void =>
  setName({ folder, list: "declined", name: set }, isDeclined);

/** Models that a person asked for on a page, whose licence that person accepted. */
export const readAsked = (folder: string): string[] => readNames(folder, "asked");
export const setAsked = (folder: string, set: string, isAsked: boolean): void =>
  setName({ folder, list: "asked", name: set }, isAsked);

type NameList = "declined" | "asked";

const readNames = (folder: string, list: NameList): string[] =>
  readJson(join(folder, `${list}.json`), z.array(z.string())) ?? [];

function setName({ folder, list, name }: { folder: string; list: NameList; name: string }, isListed: boolean): void {
  const names = readNames(folder, list);
  if (names.includes(name) === isListed) return;
  const others = names.filter((each) => each !== name);
  writeJson(join(folder, `${list}.json`), isListed ? [...others, name] : others);
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
