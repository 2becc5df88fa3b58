import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { markAgreement } from "~server/contract/audible-mark";
import { markAgreementText } from "./audible-mark";

test("the displayed agreement matches the hash in the contract", () => {
  expect(createHash("sha256").update(markAgreementText).digest("hex")).toBe(markAgreement.sha256);
});
