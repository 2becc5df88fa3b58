import { readFileSync } from "node:fs";
import type { Product } from "../support/product";

/** Linux counts a process's time in hundredths of a second. */
export const tickMs = 10;

/** Processor time of a process and its threads, which is independent of other load. Linux only. */
export const processorMs = ({ process: { pid } }: Pick<Product, "process">): number => processorMsOf(pid ?? 0);

export function processorMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}
