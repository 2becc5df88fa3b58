import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { settingNames } from "~server/config";

// A bare clone: nothing is installed or built, and nothing could be.
const clone = mkdtempSync(join(tmpdir(), "clone-"));
const files = ["package.json", "server/start.mjs", "server/prepare.mjs"];
for (const file of files) cpSync(file, join(clone, file));
afterAll(() => rmSync(clone, { recursive: true }));

const npmStart = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync("npm", ["start", "--silent", "--", ...args], {
    cwd: clone,
    encoding: "utf8",
  });
  const left = readdirSync(clone, { recursive: true }).map(String);
  expect(left.sort()).toEqual([...files, "server"].sort());
  return { status, stdout, stderr };
};

it("npm start -- --help names commands and settings and starts nothing", () => {
  const { status, stdout } = npmStart("--help");
  expect(status).toBe(0);
  for (const command of ["npm run ops", "npm run voices", "npm test"]) expect(stdout).toContain(command);
  const named = [...stdout.matchAll(/^ {2}([A-Z_]{4,})/gm)].map(([, name]) => name);
  expect(named).toContain("PORT");
  expect(named.filter((name) => !settingNames.includes(name ?? ""))).toEqual([]);
});

it.each(["--helpp", "--prepare-only --port=80", "stop"])("npm start -- %s is refused", (line) => {
  const args = line.split(" ");
  const { status, stdout, stderr } = npmStart(...args);
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toContain(`"${args.at(-1)}"`);
});
