import type { Page } from "playwright";
import { paths } from "~/paths";
import type { Row } from "./row";

const pageChangeMaxMs = 150;
const rounds = 5;
const pauseMs = 500;
/** In this order and back to the first. */
const visited = {
  home: paths.home,
  square: paths.square,
  clone: paths.clone,
  dubbing: paths.dubbing,
  role: paths.role,
};

/** Presses the first element that a CSS selector finds. Playwright's own search would be a task of the page. */
export async function press(page: Page, selector: string) {
  const { x, y } = await page.evaluate((css) => {
    const element = document.querySelector(css);
    if (!element) throw new Error(`nothing to press: ${css}`);
    const { left, top, width, height } = element.getBoundingClientRect();
    return { x: left + width / 2, y: top + Math.min(height / 2, 20) };
  }, selector);
  await page.mouse.click(x, y);
}

/** Milliseconds from a click on the navigation to the paint of the complete page. */
async function changePage(page: Page, to: string): Promise<number> {
  await page.evaluate(watchPageChange, to);
  await press(page, `header nav a[href="${to}"]`);
  return page.evaluate(() => (window as unknown as { pageChange: Promise<number> }).pageChange);
}

/** Runs in the page. */
function watchPageChange(to: string) {
  const old = document.querySelector("main h1");
  const pageChange = new Promise<number>((resolve) => {
    let clickedAt = 0;
    const onClick = ({ timeStamp }: Event) => {
      clickedAt = timeStamp;
    };
    window.addEventListener("click", onClick, { capture: true, once: true });
    const look = () => {
      const heading = document.querySelector("main h1");
      const isComplete = heading !== null && heading !== old && !document.querySelector("main [aria-busy=true]");
      if (clickedAt === 0 || window.location.pathname !== to || !isComplete) return requestAnimationFrame(look);
      // A task that starts in a frame runs after its paint.
      return requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - clickedAt)));
    };
    look();
  });
  Object.assign(window, { pageChange });
}

/** Medians of several rounds through the pages, after a first one that loads their code. */
export async function measurePageChanges(page: Page): Promise<Row[]> {
  await page.goto(paths.home, { waitUntil: "networkidle" });
  // tsx wraps named functions in this call, which the page does not have.
  await page.evaluate("globalThis.__name = (one) => one");
  const route = [...Object.entries(visited).slice(1), ...Object.entries(visited).slice(0, 1)];
  const times = new Map<string, number[]>();
  for (let round = 0; round <= rounds; round++) {
    let from = "home";
    for (const [name, to] of route) {
      const ms = await changePage(page, to);
      const key = `page change ${from} → ${name}`;
      if (round > 0) times.set(key, [...(times.get(key) ?? []), ms]);
      from = name;
      await page.waitForTimeout(pauseMs);
    }
  }
  return [...times].map(([name, all]) => {
    const value = all.toSorted((a, b) => a - b)[all.length >> 1] ?? Number.NaN;
    console.log(`${name}: ${value.toFixed(0)} ms`);
    return { name, value, unit: "ms", reference: `≤ ${pageChangeMaxMs} ms` };
  });
}
