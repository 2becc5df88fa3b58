import lighthouse, { type Result } from "lighthouse";
import { chromium } from "playwright";
import { paths } from "~/paths";
import { freePort } from "../support/postgres";
import { startProduct } from "../support/product";
import { type Row, worstOf } from "./row";

const runs = 3;
const marks = { performance: 95, accessibility: 100, "best-practices": 100, seo: 100 } as const;
const blockedMaxMs = 150;
const paintMaxSeconds = 2.5;
const paint = "largest contentful paint";
const blocked = "blocked time";
const shift = "layout shift";
const pages = {
  home: paths.home,
  square: paths.square,
  clone: paths.clone,
  dubbing: paths.dubbing,
  slides: paths.slides,
  subscribe: paths.subscribe,
  login: paths.login,
};
type Category = keyof typeof marks;

interface Run {
  scores: Record<Category, number>;
  shift: number;
  paintMs: number;
  blockedMs: number;
}

/** Chromium sometimes records a trace without the page's start (NO_NAVSTART); Lighthouse asks to run it again. */
async function report(url: string, port: number, triesLeft = 3): Promise<Result> {
  const found = await lighthouse(url, { port, output: "json", logLevel: "error" });
  if (!found) throw new Error("Lighthouse gave no report");
  const { runtimeError } = found.lhr;
  if (!runtimeError) return found.lhr;
  if (triesLeft === 1) throw new Error(runtimeError.message);
  return report(url, port, triesLeft - 1);
}

/** Runs one visit as a phone with a simulated slow network and processor; prints the audits that lost points. */
async function visit(url: string, port: number): Promise<Run> {
  const { categories, audits } = await report(url, port);
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

/** Runs Lighthouse on each page as a visitor, mobile with simulated throttling: the median of several visits. */
export async function benchLighthouse(): Promise<Row[]> {
  const product = await startProduct();
  const port = await freePort();
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", `--remote-debugging-port=${port}`],
  });
  try {
    const rows: Row[] = [];
    for (const [name, path] of Object.entries(pages)) {
      await fetch(product.url + path); // warms up the process
      const seen: Run[] = [];
      for (let i = 0; i < runs; i++) seen.push(await visit(product.url + path, port));
      rows.push(...rowsOf(name, seen));
    }
    return [...rows, ...summarise(rows)];
  } finally {
    await browser.close();
    await product.stop();
  }
}

function rowsOf(page: string, seen: readonly Run[]): Row[] {
  const row = (name: string, unit: string, pick: (run: Run) => number): Row => ({
    name,
    value: median(seen.map(pick)),
    unit,
    where: page,
  });
  return [
    ...(Object.keys(marks) as Category[]).map((category) => row(category, "", ({ scores }) => scores[category])),
    row(paint, "s", ({ paintMs }) => paintMs / 1000),
    row(blocked, "ms", ({ blockedMs }) => blockedMs),
    row(shift, "", (run) => run.shift),
  ];
}

/** The worst page of each measure. */
function summarise(rows: readonly Row[]): Row[] {
  const worst = (name: string, budget: string, which: "lowest" | "highest") => {
    const ofAll = rows.filter((row) => row.name === name);
    return worstOf(ofAll, { name: `Lighthouse, mobile: ${name}, ${which} of six pages`, budget, which });
  };
  return [
    ...(Object.keys(marks) as Category[]).map((name) => worst(name, `≥ ${marks[name]}`, "lowest")),
    worst(paint, `≤ ${paintMaxSeconds} s`, "highest"),
    worst(blocked, `≤ ${blockedMaxMs} ms`, "highest"),
    worst(shift, "< 0.02", "highest"),
  ];
}
