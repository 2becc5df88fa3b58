import { expect, it } from "vitest";
import { consoleWords, csvHeading, operationNames } from "~/copy/console";
import { operationTable } from "~server/upstream/operations/table";
import { formatCell, toCsvField } from "./cells";

it.each([
  ["=1+1", "'=1+1"],
  ["+86", "'+86"],
  ["-2", "'-2"],
  ["@SUM(A1)", "'@SUM(A1)"],
  [" =1", "' =1"],
  ["\t=1", "'\t=1"],
  [-2, "-2"],
  ['说"好"', '"说""好"""'],
  ["=a,b", `"'=a,b"`],
  [null, ""],
  [{ a: 1 }, '"{""a"":1}"'],
])("a CSV field of %j is %s, which no spreadsheet runs", (value, field) => {
  expect(toCsvField(value)).toBe(field);
});

it("cells are read in Chinese: money in yuan, times to the minute, known words by their names", () => {
  expect(formatCell(3990, "fen")).toBe("¥39.90");
  expect(formatCell("2026-01-02T03:04:05+08:00", "time")).toBe("2026-01-02 03:04");
  expect(formatCell("PAID", "text")).toBe("已支付");
  expect(formatCell(false, "text")).toBe("否");
});

it("a CSV file heads money with its unit, and a table's own word comes first", () => {
  expect(csvHeading("amountFen", "fen", "orders")).toBe("金额（分）");
  expect(csvHeading("withdrawnAt", "time", "packages")).toBe("下架于");
  expect(csvHeading("withdrawnAt", "time", "codes")).toBe("作废于");
});

it("every operation and field that the console offers has a Chinese name", () => {
  const offered = operationTable.filter(({ isLocal }) => !isLocal);
  expect(offered.map(({ name }) => name).filter((name) => !operationNames[name])).toEqual([]);
  const fields = offered.flatMap(({ input }) => Object.keys(input.shape));
  expect(fields.filter((name) => !consoleWords[name])).toEqual([]);
});
