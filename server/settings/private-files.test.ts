import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { keepFilesPrivate } from "./private-files";

const folder = mkdtempSync(join(tmpdir(), "private-files-"));
const modeOf = (...path: string[]) => statSync(join(folder, ...path)).mode & 0o777;
const before = process.umask();
afterAll(() => {
  process.umask(before);
  rmSync(folder, { recursive: true });
});

it("only the server's user reads what lies in DATA_DIR and what comes later", () => {
  const outside = mkdtempSync(join(tmpdir(), "outside-"));
  const data = join(folder, "data");
  mkdirSync(join(data, "db", "base"), { recursive: true, mode: 0o755 });
  writeFileSync(join(data, "db", "base", "1"), "", { mode: 0o666 });
  writeFileSync(join(outside, "theirs"), "", { mode: 0o644 });
  symlinkSync(outside, join(data, "linked"));
  keepFilesPrivate(data);
  writeFileSync(join(data, "later"), "");
  mkdirSync(join(data, "media"));
  expect([modeOf("data"), modeOf("data", "db", "base"), modeOf("data", "media")]).toEqual([0o700, 0o700, 0o700]);
  expect([modeOf("data", "db", "base", "1"), modeOf("data", "later")]).toEqual([0o600, 0o600]);
  expect(statSync(join(outside, "theirs")).mode & 0o777).toBe(0o644);
  rmSync(outside, { recursive: true });
});

it("a program in DATA_DIR can still be run by the server's user", () => {
  const data = join(folder, "programs");
  mkdirSync(data, { mode: 0o755 });
  writeFileSync(join(data, "run"), "", { mode: 0o755 });
  keepFilesPrivate(data);
  expect(modeOf("programs", "run")).toBe(0o700);
});
