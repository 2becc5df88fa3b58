import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";

// Settings that cannot be used, and a folder that would be filled if they were read.
const dataDir = mkdtempSync(join(tmpdir(), "command-lines-"));
afterAll(() => rmSync(dataDir, { recursive: true }));

const npmRun = (line: string) => {
  const [command = "", ...args] = line.split(" ");
  const env = { ...process.env, DATA_DIR: dataDir, PORT: "none" };
  const { status, stdout } = spawnSync("npm", ["run", "--silent", command, "--", ...args], { env, encoding: "utf8" });
  expect(readdirSync(dataDir)).toEqual([]);
  return { status, stdout };
};

describe.runIf(existsSync("build/server/index.js"))("npm run", () => {
  it.each([
    ["ops --help", "compare a day's bills of the gateways"],
    ["ops grant --help", "npm run ops -- grant --account"],
    ["voices --help", "install NAME [--accept]"],
  ])("%s says what there is and starts nothing", (line, shown) => {
    expect(npmRun(line)).toEqual({ status: 0, stdout: expect.stringContaining(shown) });
  });

  it.each(["ops --nonsense", "ops doctor --nonsense", "voices --nonsense", "voices list --nonsense"])(
    "%s is refused before anything starts",
    (line) => {
      expect(npmRun(line)).toEqual({ status: 2, stdout: "" });
    },
  );
});
