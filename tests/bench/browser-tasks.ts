import type { CDPSession, Page } from "playwright";

interface TraceEvent {
  name: string;
  ph: string;
  tid: number;
  pid: number;
  args: Record<string, unknown>;
  /** Microseconds of the thread's processor time. */
  tdur?: number;
}

const categories = ["devtools.timeline", "disabled-by-default-devtools.timeline", "__metadata"];
/** So that the last task is in the trace. */
const settleMs = 300;

/**
 * Runs `act` at a fraction of the processor's speed. Returns the longest task of the page's main thread, milliseconds of the
 * thread's processor time: throttled, but free of other programs' load.
 */
export async function longestTaskMs(page: Page, slowdown: number, act: () => Promise<unknown>): Promise<number> {
  const events = await traceSlowly(page, slowdown, async () => {
    await act();
    await page.waitForTimeout(settleMs);
  });
  return mainThreadTasks(events).reduce((longest, { tdur = 0 }) => Math.max(longest, tdur), 0) / 1000;
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

const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
