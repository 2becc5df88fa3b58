import { readdirSync, readFileSync } from "node:fs";
import type { Product } from "../support/product";

/** Linux counts a process's time in hundredths of a second. */
export const tickMs = 10;

/** The fields of a process after its name; none if it has ended. */
function readStat(pid: number | undefined): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /, "")
      .split(" ");
  } catch {
    return [];
  }
}

/** The same by the id of the process. */
export const processorMsOf = (pid: number | undefined) => {
  const fields = readStat(pid);
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * tickMs;
};

/** Processor time of a process and its threads, which is independent of other load. Linux only. */
export const processorMs = ({ process: { pid } }: Pick<Product, "process">): number => processorMsOf(pid);

/** All processes below this one. */
export function descendantsOf(parent: number | undefined): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const children = pids.map(Number).filter((pid) => Number(readStat(pid)[1]) === parent);
  return [...children, ...children.flatMap(descendantsOf)];
}

/** Processor time of the processes below a product that run now. */
export const childrenProcessorMs = ({ process: { pid } }: Product): number =>
  descendantsOf(pid).reduce((sum, child) => sum + processorMsOf(child), 0);
