import { chownSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
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

it.runIf(process.getuid?.() === 0)(
  "a volume of another user is left open, and the server's own files in it are closed",
  () => {
    process.umask(0);
    const volume = join(folder, "volume");
    mkdirSync(join(volume, "lost+found"), { recursive: true, mode: 0o755 });
    mkdirSync(join(volume, "media"), { mode: 0o755 });
    writeFileSync(join(volume, "media", "1"), "", { mode: 0o644 });
    for (const own of ["media", "media/1"]) chownSync(join(volume, own), 1000, 1000);
    const user = vi.spyOn(process as { getuid(): number }, "getuid").mockReturnValue(1000);
    keepFilesPrivate(volume);
    user.mockRestore();
    expect([modeOf("volume"), modeOf("volume", "lost+found")]).toEqual([0o755, 0o755]);
    expect([modeOf("volume", "media"), modeOf("volume", "media", "1")]).toEqual([0o700, 0o600]);
  },
);
