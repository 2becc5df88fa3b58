import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { startProduct } from "../support/product";
import { createFirstData } from "./first-data";
import { descendantsOf } from "./processor";
import { median } from "./quantile";
import type { Row } from "./row";

const idleMs = 15_000;
const starts = 3;
/** The image's settings of the memory allocator. */
const imageSettings: Record<string, string> = Object.fromEntries(
  [...readFileSync("Dockerfile", "utf8").matchAll(/(MALLOC_\w+)=(\d+)/g)].map(([, name, value]) => [name, value]),
);

export const residentMb = (pid: number) =>
  (Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024) / 1e6;

/** Megabytes of all processes of a product that has come to rest after its start. */
async function measureStart(directory: string): Promise<number> {
  const product = await startProduct({ DATA_DIR: directory, ...imageSettings });
  try {
    await sleep(idleMs);
    const pid = product.process.pid as number;
    return [pid, ...descendantsOf(pid)].map(residentMb).reduce((sum, mb) => sum + mb);
  } finally {
    await product.stop();
  }
}

/** Resident memory of the product, idle after a start with complete data. Linux only. */
export async function benchMemory(): Promise<Row[]> {
  const data = await createFirstData();
  try {
    const sizes: number[] = [];
    for (let start = 0; start < starts; start++) sizes.push(await measureStart(data.directory));
    return [{ name: "memory of the idle server", value: median(sizes), unit: "MB", budget: "≤ 300 MB" }];
  } finally {
    data.remove();
  }
}
