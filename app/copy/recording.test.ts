import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { consentStatements } from "~server/contract/consent";
import { consentTexts } from "./recording";

test.each(consentStatements)(
  "the displayed text of the statement $id matches the hash in the contract",
  ({ id, sha256 }) => {
    expect(createHash("sha256").update(consentTexts[id]).digest("hex")).toBe(sha256);
  },
);
