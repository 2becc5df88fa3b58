import { expect, it } from "vitest";
import { toPage, worstOf } from "../bench/row";

const page = `# Speed

Measured on another machine.

| what | budget | figure |
| --- | --- | ---: |
| a | ≤ 1 s | 0.50 s |
| b | ≥ 95 | 99.0 |

More.
`;

it("a run replaces its figures with a budget, adds new ones, and keeps the others and the text", () => {
  const rows = [
    { name: "b", value: 123.4, unit: "", budget: "≥ 95", where: "home" },
    { name: "c", value: 0.25, unit: "ms", budget: "≤ 20 ms" },
    { name: "without a budget", value: 1, unit: "" },
  ];
  expect(toPage(page, rows, "this machine")).toBe(
    page
      .replace("another", "this")
      .replace("| b | ≥ 95 | 99.0 |", "| b | ≥ 95 | 123 (home) |\n| c | ≤ 20 ms | 0.25 ms |"),
  );
});

it("the worst of several figures names where it was measured", () => {
  const rows = [3, 1, 2].map((value) => ({ name: `call ${value}`, value, unit: "ms" }));
  const budget = { name: "slowest", budget: "≤ 20 ms" };
  expect(worstOf(rows, { ...budget, which: "highest" })).toMatchObject({ name: "slowest", value: 3, where: "call 3" });
  expect(worstOf(rows, { ...budget, which: "lowest" })).toMatchObject({ value: 1, where: "call 1" });
});
