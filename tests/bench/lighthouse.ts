import lighthouse from "lighthouse";
import { chromium } from "playwright";
import { freePort } from "../support/postgres";
import { startProduct } from "../support/product";
import type { Row } from "./row";

const runs = 3;
/** Targets for the home page. */
const marks = { performance: 95, accessibility: 100, "best-practices": 95, seo: 100 } as const;
type Category = keyof typeof marks;

interface Run {
  scores: Record<Category, number>;
  shift: number;
  paintMs: number;
  blockedMs: number;
}

/** Runs one visit as a phone with a simulated slow network and processor; prints the audits that lost points. */
async function visit(url: string, port: number): Promise<Run> {
  const found = await lighthouse(url, { port, output: "json", logLevel: "error" });
  if (!found) throw new Error("Lighthouse gave no report");
  const { categories, audits, runtimeError } = found.lhr;
  if (runtimeError) throw new Error(runtimeError.message);
  const score = (name: Category) => Math.round((categories[name]?.score ?? 0) * 100);
  const value = (name: string) => audits[name]?.numericValue ?? Number.NaN;
  for (const name of Object.keys(marks) as Category[]) {
    const lost = categories[name]?.auditRefs.filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.9);
    if (score(name) < marks[name]) console.error(`${name}: ${lost?.map(({ id }) => id).join(", ")}`);
  }
  return {
    scores: Object.fromEntries((Object.keys(marks) as Category[]).map((name) => [name, score(name)])) as Run["scores"],
    shift: value("cumulative-layout-shift"),
    paintMs: value("largest-contentful-paint"),
    blockedMs: value("total-blocking-time"),
  };
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Runs Lighthouse on the home page, mobile with simulated throttling: the median of several visits. */
export async function benchLighthouse(): Promise<Row[]> {
  const product = await startProduct();
  const port = await freePort();
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", `--remote-debugging-port=${port}`],
  });
  try {
    await fetch(product.url); // warms up the process
    const seen: Run[] = [];
    for (let i = 0; i < runs; i++) seen.push(await visit(product.url, port));
    const middle = (pick: (run: Run) => number) => median(seen.map(pick));
    return [
      ...(Object.keys(marks) as Category[]).map((name) => ({
        name: `home, ${name}`,
        value: middle(({ scores }) => scores[name]),
        unit: "",
        reference: marks[name] === 100 ? "100" : `≥ ${marks[name]}`,
      })),
      { name: "home, largest contentful paint", value: middle(({ paintMs }) => paintMs) / 1000, unit: "s" },
      { name: "home, blocked time", value: middle(({ blockedMs }) => blockedMs), unit: "ms" },
      { name: "home, layout shift", value: middle(({ shift }) => shift), unit: "", reference: "< 0.02" },
    ];
  } finally {
    await browser.close();
    await product.stop();
  }
}
