import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

/**
 * Published advisories that reach this product, because visitors' files or network answers pass through the package.
 * `fixedIn` holds the first repaired version of each major line that is still in use.
 */
const advisories = [
  { id: "GHSA-f88m-g3jw-g9cj", name: "sharp", fixedIn: ["0.35.0"] },
  { id: "GHSA-rgj7-g3m4-5g8c", name: "sharp", fixedIn: ["0.35.4"] },
  { id: "GHSA-crvj-82cr-hjcx", name: "hono", fixedIn: ["4.13.5"] },
  { id: "GHSA-9mqv-5hh9-4cgg", name: "@hono/node-server", fixedIn: ["2.0.10"] },
  { id: "GHSA-px8p-9vwx-vf98", name: "fflate", fixedIn: ["0.8.3"] },
  { id: "GHSA-5v7r-6r5c-r473", name: "file-type", fixedIn: ["21.3.1"] },
  { id: "GHSA-35p6-xmwp-9g52", name: "undici", fixedIn: ["6.27.0", "7.28.0", "8.5.0"] },
];

interface LockFile {
  packages: Record<string, { version?: string }>;
}

const lockFile = JSON.parse(readFileSync(new URL("../../package-lock.json", import.meta.url), "utf8")) as LockFile;

const toNumbers = (version: string) => version.split("-")[0]?.split(".").map(Number) ?? [];

function isBefore(version: string, other: string) {
  const [left, right] = [toNumbers(version), toNumbers(other)];
  const index = left.findIndex((part, position) => part !== right[position]);
  return index >= 0 && (left[index] ?? 0) < (right[index] ?? 0);
}

/** A version is repaired when it is at or after the fix of its major line, or after the last line with a fix. */
function isRepaired(version: string, fixedIn: string[]) {
  const [major = 0] = toNumbers(version);
  const ofSameMajor = fixedIn.find((fixed) => toNumbers(fixed)[0] === major);
  return !isBefore(version, ofSameMajor ?? fixedIn.at(-1) ?? version);
}

const installed = (name: string) =>
  Object.entries(lockFile.packages)
    .filter(([path]) => path.endsWith(`node_modules/${name}`))
    .map(([path, { version = "" }]) => ({ path, version }));

describe("package-lock.json", () => {
  it.each(advisories)("holds no version of $name that $id affects", ({ name, fixedIn }) => {
    const packages = installed(name);
    expect(packages).not.toEqual([]);
    expect(packages.filter(({ version }) => !isRepaired(version, fixedIn))).toEqual([]);
  });

  it("compares versions by number and by major line", () => {
    expect(isRepaired("0.34.5", ["0.35.0"])).toBe(false);
    expect(isRepaired("0.100.0", ["0.35.0"])).toBe(true);
    expect(isRepaired("6.29.1", ["6.23.0", "7.18.2"])).toBe(true);
    expect(isRepaired("7.18.1", ["6.23.0", "7.18.2"])).toBe(false);
    expect(isRepaired("5.9.9", ["6.23.0", "7.18.2"])).toBe(false);
    expect(isRepaired("8.0.0", ["6.23.0", "7.18.2"])).toBe(true);
  });
});

/** The packages that the product is specified with. */
const specified = [
  "@remix-run/node",
  "@remix-run/react",
  "react",
  "react-dom",
  "wavesurfer.js",
  "zod",
  "remix-utils",
  "tailwindcss",
  "react-toastify",
  "vitest",
  "playwright",
  "md5",
];

describe("package.json", () => {
  const path = fileURLToPath(new URL("../../", import.meta.url));
  const { dependencies, devDependencies } = JSON.parse(readFileSync(`${path}package.json`, "utf8")) as Record<
    "dependencies" | "devDependencies",
    Record<string, string>
  >;
  const sources = ["app", "server", "tests/config", "tests/journeys"]
    .flatMap((folder) =>
      readdirSync(path + folder, { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
    )
    .filter((file) => /\.tsx?$/.test(file))
    .concat("tailwind.config.ts")
    .map((file) => readFileSync(path + file, "utf8"));

  it.each(specified)("keeps %s as a direct dependency that sources import", (name) => {
    expect({ ...dependencies, ...devDependencies }).toHaveProperty([name]);
    const pattern = new RegExp(`from "${name}(/[^"]*)?"|import\\(\\s*"${name}(/[^"]*)?"\\)`);
    expect(sources.some((text) => pattern.test(text))).toBe(true);
  });
});
