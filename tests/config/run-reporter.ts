import type { Reporter, TestCase, TestModule } from "vitest/node";
import { slowestLines } from "./slowest";

/** Prints the tests that passed only after a retry, so that no retry stays hidden, and the slowest ones. */
export class RunReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    for (const test of tests)
      if (test.result().state === "passed" && test.diagnostic()?.flaky) console.log(`RETRIED ${nameOf(test)}`);
    for (const line of slowestLines(
      tests.map((test) => ({ name: nameOf(test), ms: test.diagnostic()?.duration ?? 0 })),
    ))
      console.log(line);
  }
}

const nameOf = (test: TestCase) => `${test.module.relativeModuleId} > ${test.fullName}`;
