import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { consentStatements } from "~server/contract/consent";
import { consentTexts } from "./recording";

test.each(consentStatements)("what people read of $id is what the contract's hash stands for", ({ id, sha256 }) => {
  expect(createHash("sha256").update(consentTexts[id]).digest("hex")).toBe(sha256);
});
