import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { translateDetail } from "./console";

const upstream = new URL("../../server/upstream/", import.meta.url);
const filesIn = (folder: string) =>
  readdirSync(new URL(folder, upstream)).flatMap((name) => (name.endsWith(".ts") ? [`${folder}${name}`] : []));
const files = [
  ...filesIn("operations/commands/"),
  ...filesIn("billing/settlement/"),
  ...["operations/parse.ts", "operations/operation.ts", "operations/account-directory.ts", "square/reviews.ts"],
  ...["billing/operations.ts", "billing/refund-operations.ts", "billing/anomalies.ts", "voices/proofs/reviews.ts"],
];

/** Every refusal of an operator's act, with 1 for each value in it. */
const refusals = files.flatMap((file) => {
  const source = readFileSync(new URL(file, upstream), "utf8");
  const thrown = source.matchAll(
    /(?:AppError\("(?:bad-request|not-found|forbidden)", |UsageError\(|\breturn (?="))(?:"([^"\n]+)"|`([^`]+)`)/g,
  );
  return [...thrown].map(([, text = "", template = ""]) =>
    (text || template).replace(/\$\{(?:[^{}]|\{[^}]*\})*\}/g, "1"),
  );
});

test("every refusal of an operator's act has its sentence in Chinese", () => {
  expect(refusals.length).toBeGreaterThan(30);
  expect(refusals.filter((text) => / /.test(text) && translateDetail(text) === "")).toEqual([]);
});

test("amounts and counts of a refusal are kept", () => {
  expect(translateDetail("the pack has 5 characters left: at most 19.50 yuan can be refunded")).toBe(
    "加量包还剩 5 字，最多可退 ¥19.50",
  );
  expect(translateDetail("a new sentence")).toBe("");
});
