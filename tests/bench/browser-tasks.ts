import type { CDPSession, Page } from "playwright";
import { quantile } from "./quantile";

interface TraceEvent {
  name: string;
  ph: string;
  tid: number;
  pid: number;
  args: Record<string, unknown>;
  /** Microseconds of the thread's processor time; `ts` and `dur` of the clock. */
  tdur?: number;
  ts: number;
  dur?: number;
}

/** Work of the page's main thread during an action. */
export interface MainThreadWork {
  /** The longest task, milliseconds of the thread's processor time: throttled, but free of other programs' load. */
  longestMs: number;
  /** From a key or pointer event to the start of its handler, 95 of 100, milliseconds of the clock. */
  delayMs: number;
}

const categories = ["devtools.timeline", "disabled-by-default-devtools.timeline", "__metadata"];
/** So that the last task is in the trace. */
const settleMs = 300;

/** Runs `act` at a fraction of the processor's speed and measures the page's main thread meanwhile. */
export async function measureMainThread(
  page: Page,
  slowdown: number,
  act: () => Promise<unknown>,
): Promise<MainThreadWork> {
  await page.evaluate(observeDelays);
  const events = await traceSlowly(page, slowdown, async () => {
    await act();
    await page.waitForTimeout(settleMs);
  });
  const delays = await page.evaluate(() => (window as unknown as { inputDelays: number[] }).inputDelays);
  return { longestMs: longestTaskMs(events), delayMs: quantile(delays, 0.95) };
}

/**
 * The main thread's processor time per animation frame, milliseconds: all its tasks, so scripts, style, layout and paint
 * are in it, and what else the page does meanwhile.
 */
export async function measureFrames(page: Page, slowdown: number, act: () => Promise<unknown>): Promise<number> {
  const events = await traceSlowly(page, slowdown, act);
  const tasks = mainThreadTasks(events);
  const frames = new Set(events.filter(({ name }) => name === "FireAnimationFrame").map(({ ts }) => ts));
  if (frames.size === 0) throw new Error("the page drew no frames");
  return tasks.reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1000 / frames.size;
}

async function traceSlowly(page: Page, slowdown: number, act: () => Promise<unknown>): Promise<TraceEvent[]> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  try {
    return await trace(cdp, act);
  } finally {
    await cdp.send("Emulation.setCPUThrottlingRate", { rate: 1 });
    await cdp.detach();
  }
}

function observeDelays() {
  const inputDelays: number[] = [];
  Object.assign(window, { inputDelays });
  const names = ["keydown", "pointerdown", "input", "wheel", "click"];
  for (const name of names)
    window.addEventListener(name, (event) => inputDelays.push(performance.now() - event.timeStamp), {
      capture: true,
      passive: true,
    });
}

async function trace(cdp: CDPSession, act: () => Promise<unknown>): Promise<TraceEvent[]> {
  const events: TraceEvent[] = [];
  cdp.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await cdp.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: categories, recordMode: "recordUntilFull" },
  });
  await act();
  const completed = new Promise((resolve) => cdp.once("Tracing.tracingComplete", resolve));
  await cdp.send("Tracing.end");
  await completed;
  return events;
}

const isTask = ({ name }: TraceEvent) => name === "RunTask" || name === "ThreadControllerImpl::RunTask";

/** Tasks of the page's own renderer: other renderers (a spare one) do next to nothing. */
function mainThreadTasks(events: readonly TraceEvent[]): TraceEvent[] {
  const mainThreads = new Set(
    events.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain").map(threadOf),
  );
  const tasks = events.filter((event) => isTask(event) && mainThreads.has(threadOf(event)));
  if (tasks.length === 0) throw new Error("the trace has no tasks of the page");
  return tasks;
}

const longestTaskMs = (events: readonly TraceEvent[]) =>
  mainThreadTasks(events).reduce((longest, { tdur = 0 }) => Math.max(longest, tdur), 0) / 1000;

const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
