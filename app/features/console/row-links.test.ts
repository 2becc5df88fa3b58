import { expect, it } from "vitest";
import { paths } from "~/paths";
import { rowLinks, waitingLink } from "./section-table";

const toField = (name: string, isRequired: boolean) => ({ name, kind: "text" as const, isRequired, choices: [] });
const none = { isRead: false, needsReason: false, needsFreshCode: false, needsSecond: false, preview: null };
const operations = [
  { ...none, name: "package-edit", fields: [toField("code", true), toField("name", false), toField("badge", false)] },
];
const acts: Parameters<typeof rowLinks>[0] = [
  { name: "package-edit", fill: { code: "code", name: "name", badge: "badge" }, when: "!withdrawnAt" },
  { name: "refund", fill: { order: "code" } },
];
const linksOf = (row: object) => rowLinks(acts, operations, { code: "vip-month", name: "月卡", ...row }, paths.console);

it("a row's form opens with the row's texts, an empty one included", () => {
  const filled = { code: "vip-month", name: "月卡", from: paths.console };
  expect(linksOf({ badge: "" })).toEqual([
    { name: "package-edit", to: paths.consoleOperation("package-edit", filled) },
  ]);
  expect(linksOf({ badge: "新" })[0]?.to).toContain(encodeURIComponent("新"));
});

it.each([[{ code: null }], [{ withdrawnAt: "2027-01-01T00:00:00+08:00" }]])("%j offers no form", (row) => {
  expect(linksOf(row)).toEqual([]);
});

it("a count of what waits leads to its list, for those who have the list", () => {
  expect(waitingLink("refundsAsked", [{ ...none, name: "orders", fields: [] }])).toBe(
    paths.consoleOperation("orders", { refundAsked: "true" }),
  );
  expect(waitingLink("refundsAsked", operations)).toBeUndefined();
  expect(waitingLink("jobs", operations)).toBeUndefined();
});
