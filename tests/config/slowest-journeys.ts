import type { Reporter, TestCase, TestResult } from "playwright/types/testReporter";
import { slowestLines } from "./slowest";

/** Prints the slowest journeys at the end of a run. */
export default class SlowestJourneys implements Reporter {
  readonly #ended: { name: string; ms: number }[] = [];

  onTestEnd(test: TestCase, { duration }: TestResult): void {
    this.#ended.push({ name: test.titlePath().slice(2).join(" > "), ms: duration });
  }

  onEnd(): void {
    for (const line of slowestLines(this.#ended)) console.log(line);
  }

  printsToStdio(): boolean {
    return false;
  }
}
