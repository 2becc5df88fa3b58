import type { Reporter, TestModule } from "vitest/node";

/** Lists the tests that passed only after a retry, so that no retry stays hidden. */
export class RetriedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules) {
      for (const test of module.children.allTests("passed")) {
        if (test.diagnostic()?.flaky) console.log(`RETRIED ${module.relativeModuleId} > ${test.fullName}`);
      }
    }
  }
}
