import { findHidden } from "./hidden";
import type { CheckResult, Level } from "./recorder";

/** The outcome for an author: what must and what should change, what was not tried, and what the site hides. */
export function toReport(results: readonly CheckResult[]) {
  const at = (level: Level) => {
    const ofLevel = results.filter((one) => one.level === level);
    const failed = ofLevel.filter(({ result }) => result === "fail");
    return {
      passed: ofLevel.filter(({ result }) => result === "pass").length,
      failed,
    };
  };
  const missing = new Set(results.filter(({ result }) => result === "not offered").map(({ call }) => call));
  const notTried = results.filter(({ result }) => result === "not tried");
  return { must: at("must"), should: at("should"), notTried, hidden: findHidden(missing) };
}

/** The report as text. */
export function formatReport({ must, should, notTried, hidden }: ReturnType<typeof toReport>): string {
  /** Routes with the same fault share a line. */
  const rows = (all: readonly CheckResult[]) => {
    const faults = new Map<string, string[]>();
    for (const { check, detail, route } of all) {
      const fault = `${check}: ${detail}`;
      faults.set(fault, [...(faults.get(fault) ?? []), route]);
    }
    return [...faults].map(([fault, routes]) => `  ${fault} (${routes.join(", ")})`);
  };
  const part = (heading: string, lines: readonly string[]) => (lines.length > 0 ? [heading, ...lines, ""] : []);
  return [
    ...part("MUST: the site cannot work with these", rows(must.failed)),
    ...part("SHOULD: the site copes with these", rows(should.failed)),
    ...part("NOT TRIED", rows(notTried)),
    ...part("HIDDEN: calls of ours that are missing, and what the site leaves out", [
      ...hidden.map(({ part: what, routes }) => `  ${what} (${routes.join(", ")})`),
    ]),
    `must: ${must.passed} pass, ${must.failed.length} fail; should: ${should.passed} pass, ${should.failed.length} fail`,
  ].join("\n");
}
