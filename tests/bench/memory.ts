import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Product, startProduct } from "../support/product";
import { createFirstData } from "./first-data";
import { descendantsOf } from "./processor";
import { median } from "./quantile";
import type { Row } from "./row";

const idleMs = 15_000;
const starts = 3;

const residentMb = (pid: number) =>
  (Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024) / 1e6;

interface Usage {
  server: number;
  others: number[];
}

async function measureStart(directory: string): Promise<Usage> {
  const product: Product = await startProduct({ DATA_DIR: directory });
  try {
    await sleep(idleMs);
    const pid = product.process.pid as number;
    return { server: residentMb(pid), others: descendantsOf(pid).map(residentMb) };
  } finally {
    await product.stop();
  }
}

/** Resident memory of the product's processes, idle after a start with complete data. Linux only. */
export async function benchMemory(): Promise<Row[]> {
  const data = await createFirstData();
  try {
    const seen: Usage[] = [];
    for (let start = 0; start < starts; start++) seen.push(await measureStart(data.directory));
    const whole = ({ server, others }: Usage) => others.reduce((sum, mb) => sum + mb, server);
    const processes = Math.max(...seen.map(({ others }) => 1 + others.length));
    return [
      {
        name: `server, ${idleMs / 1000} s after its start`,
        value: median(seen.map(({ server }) => server)),
        unit: "MB",
        reference: "≤ 255 MB",
      },
      {
        name: `whole product, ${processes} processes`,
        value: median(seen.map(whole)),
        unit: "MB",
        reference: "≤ 300 MB",
      },
    ];
  } finally {
    data.remove();
  }
}
