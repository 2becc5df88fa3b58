import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { secretFaults } from "./secrets";

const random = () => randomBytes(32).toString("hex");

test("random secrets in common encodings are accepted", () => {
  for (let n = 0; n < 2000; n++) {
    const bytes = randomBytes(32);
    for (const secret of [bytes.toString("hex"), bytes.toString("base64url"), bytes.toString("hex").slice(32)])
      expect(secretFaults({ DATA_KEY: secret })).toEqual([]);
  }
  const uuids = `${crypto.randomUUID()}${crypto.randomUUID()}`;
  expect(secretFaults({ SESSION_SECRET: `${random()},${random()}`, DATA_KEY: uuids, METRICS_TOKEN: random() })).toEqual(
    [],
  );
});

test.each([
  "short",
  "0123456789abcdef0123456789abcdef",
  "a3f9c27be1d04856a3f9c27be1d04856",
  "1234567890123456789012345678901234567890",
  "abcdefghijklmnopqrstuvwxyz0123456789",
  "zyxwvutsrqponmlkjihgfedcba9876543210",
  "passwordpasswordpasswordpassword1",
  "change-me-please-change-me-please-1",
  "production-session-secret-2026-01-01",
  "the quick brown fox jumps over the lazy dog",
  `${"ab12".repeat(12)}`,
  `${"0".repeat(40)}x7Kq`,
])("the secret %j is refused as weak", (secret) => {
  for (const name of ["SESSION_SECRET", "DATA_KEY", "METRICS_TOKEN"] as const)
    expect(secretFaults({ [name]: secret })).toContainEqual(expect.stringContaining(`${name} is weak`));
});

test("a secret used twice is reported with both setting names and without its value", () => {
  const secret = random();
  expect(secretFaults({ SESSION_SECRET: secret, DATA_KEY: secret })).toEqual([
    "SESSION_SECRET is used twice: DATA_KEY shares a part with it",
  ]);
  expect(secretFaults({ DATA_KEY: `${secret}-data`, METRICS_TOKEN: secret })).toHaveLength(1);
  for (const name of ["S3_SECRET_ACCESS_KEY", "DASHSCOPE_API_KEY", "MINIMAX_API_KEY"] as const)
    expect(secretFaults({ METRICS_TOKEN: secret, [name]: secret })).toHaveLength(1);
  expect(secretFaults({ SESSION_SECRET: `${secret},${secret}` })).toEqual([
    "SESSION_SECRET is used twice: its new and its old value share a part",
  ]);
});
