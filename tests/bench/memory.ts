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

const residentMb = (pid: number) =>
  (Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024) / 1e6;

/** Megabytes of each process, the server first. */
async function measureStart(directory: string, settings: Record<string, string>): Promise<number[]> {
  const product = await startProduct({ DATA_DIR: directory, ...settings });
  try {
    await sleep(idleMs);
    const pid = product.process.pid as number;
    return [pid, ...descendantsOf(pid)].map(residentMb);
  } finally {
    await product.stop();
  }
}

/** Resident memory of the product's processes, idle after a start with complete data. Linux only. */
export async function benchMemory(): Promise<Row[]> {
  const data = await createFirstData();
  try {
    const image: number[][] = [];
    const bare: number[][] = [];
    for (let start = 0; start < starts; start++) {
      image.push(await measureStart(data.directory, imageSettings));
      bare.push(await measureStart(data.directory, {}));
    }
    const whole = (processes: number[]) => processes.reduce((sum, mb) => sum + mb);
    const processes = Math.max(...image.map(({ length }) => length));
    const row = (name: string, sizes: number[], reference: string): Row => ({
      name,
      value: median(sizes),
      unit: "MB",
      reference,
    });
    const server = `server, ${idleMs / 1000} s after its start`;
    return [
      row(
        `${server}, with the image's settings`,
        image.map(([mb]) => mb as number),
        "≤ 255 MB",
      ),
      row(
        `${server}, without them`,
        bare.map(([mb]) => mb as number),
        "baseline",
      ),
      row(`whole product, ${processes} processes, with the image's settings`, image.map(whole), "≤ 300 MB"),
    ];
  } finally {
    data.remove();
  }
}
