import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ConfigError, readConfig } from "./config";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "config-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const faultsOf = (env: Record<string, string | undefined>): string[] => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
};
const secret = "a3f9c27be1d04856a3f9c27be1d04856";

describe("demo mode", () => {
  test("needs no setting at all and keeps its secret for the next start", () => {
    const first = readConfig({ DATA_DIR: dir });
    expect(first).toMatchObject({ port: 3000, mode: "demo", role: "all", siteName: "声像", siteUrl: null });
    expect(readConfig({ DATA_DIR: dir }).sessionSecrets).toEqual(first.sessionSecrets);
    expect(statSync(join(dir, "session-secret")).mode & 0o077).toBe(0);
  });

  test("an empty variable counts as unset", () => {
    expect(readConfig({ DATA_DIR: dir, API_BASE_URL: "", SITE_NAME: "" }).apiBaseUrl).toBeUndefined();
  });

  test("several secrets rotate, newest first", () => {
    expect(readConfig({ DATA_DIR: dir, SESSION_SECRET: "new,old" }).sessionSecrets).toEqual(["new", "old"]);
  });
});

describe("production mode", () => {
  test("names every missing setting at once", () => {
    expect(faultsOf({ APP_MODE: "production", DATA_DIR: dir })).toEqual([
      expect.stringContaining("SITE_URL"),
      expect.stringContaining("SESSION_SECRET"),
      expect.stringContaining("DATABASE_URL"),
    ]);
  });

  test("refuses plain http and weak secrets", () => {
    const env = {
      APP_MODE: "production",
      SITE_URL: "http://a.cn",
      SESSION_SECRET: "aaaa",
      DATABASE_URL: "postgres://x/y",
    };
    expect(faultsOf(env)).toEqual(["SITE_URL is not https", expect.stringContaining("weak")]);
  });

  test("starts when all is given", () => {
    const env = {
      APP_MODE: "production",
      SITE_URL: "https://voice.example.cn/",
      SESSION_SECRET: secret,
      DATABASE_URL: "postgres://localhost/voice",
      DATA_DIR: dir,
    };
    expect(readConfig(env)).toMatchObject({ siteUrl: "https://voice.example.cn", databaseUrl: env.DATABASE_URL });
  });
});

test("a role without what it needs is refused in any mode", () => {
  expect(faultsOf({ ROLE: "web", DATA_DIR: dir })).toEqual([expect.stringContaining("API_BASE_URL")]);
  expect(faultsOf({ ROLE: "worker", DATA_DIR: dir })).toEqual([expect.stringContaining("DATABASE_URL")]);
  expect(faultsOf({ PORT: "99999", ROLE: "cook" })).toHaveLength(2);
});
