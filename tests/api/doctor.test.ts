import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { examined, ok } from "~server/upstream/operations/doctor/finding";
import { toClock, toRoom } from "~server/upstream/operations/doctor/infrastructure";
import { createOperatorChecks } from "~server/upstream/operations/operator-checks";
import { type Bucket, openBucket } from "../support/bucket";
import { createTestPlace, type TestPlace, testEngines } from "../support/database";

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "test-doctor-"));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const stateOf = (found: Array<{ about: string; state: string }>) =>
  Object.fromEntries(found.map(({ about, state }) => [about, state]));

it("the doctor passes for a new installation except its schema, which migrate creates", async () => {
  const checks = createOperatorChecks({ DATA_DIR: dataDir });
  const before = await checks.diagnose();
  expect(stateOf(before)).toMatchObject({
    settings: "ok",
    database: "ok",
    schema: "warn",
    clock: "ok",
    storage: "ok",
    speech: "ok",
    sms: "ok",
  });
  expect(await checks.migrate()).toContain("0000_baseline");
  expect(await checks.migrate()).toEqual([]);
  expect(before.find(({ about }) => about === "gateways")).toMatchObject({
    state: "ok",
    message: expect.stringContaining("sandbox"),
  });
  expect(stateOf(await checks.diagnose())).toMatchObject({ schema: "ok", gateways: "ok" });
}, 300_000);

it("the doctor lists every fault of the settings and stops", async () => {
  const found = await createOperatorChecks({ APP_MODE: "production", DATA_DIR: dataDir }).diagnose();
  expect(found.map(({ about }) => about)).toEqual(Array(found.length).fill("settings"));
  expect(found.map(({ message }) => message).join("\n")).toMatch(/SITE_URL[\s\S]+SESSION_SECRET[\s\S]+DATABASE_URL/);
});

it("the doctor checks the remaining parts when one is unavailable", async () => {
  const found = await createOperatorChecks({
    DATA_DIR: dataDir,
    DATABASE_URL: "postgres://postgres@127.0.0.1:1/none",
    S3_ENDPOINT: "http://127.0.0.1:1",
    S3_BUCKET: "none",
    S3_ACCESS_KEY_ID: "a",
    S3_SECRET_ACCESS_KEY: "b",
  }).diagnose();
  expect(stateOf(found)).toMatchObject({ database: "fail", storage: "fail", speech: "ok", disk: expect.anything() });
  expect(found.find(({ about }) => about === "database")).toMatchObject({
    message: expect.stringContaining("ECONNREFUSED"),
    todo: expect.stringContaining("DATABASE_URL"),
  });
}, 300_000);

it("the doctor checks only the api for the web role", async () => {
  const found = await createOperatorChecks({
    ROLE: "web",
    API_BASE_URL: "http://127.0.0.1:1",
    DATA_DIR: dataDir,
  }).diagnose();
  expect(stateOf(found)).toEqual({ settings: "ok", upstream: "fail" });
});

describe.runIf(testEngines.includes("postgres"))("the doctor on PostgreSQL and a bucket", () => {
  let place: TestPlace;
  let bucket: Bucket;
  beforeAll(async () => {
    [place, bucket] = await Promise.all([createTestPlace("postgres", { isMigrated: false }), openBucket()]);
  });
  afterAll(() => Promise.all([place.remove(), bucket.close()]));
  const env = () => ({
    DATA_DIR: dataDir,
    DATABASE_URL: "url" in place.place ? place.place.url : "",
    S3_ENDPOINT: bucket.numbered.endpoint,
    S3_BUCKET: bucket.numbered.bucket,
    S3_ACCESS_KEY_ID: bucket.numbered.accessKeyId,
    S3_SECRET_ACCESS_KEY: bucket.numbered.secretAccessKey,
  });

  it("reports both as available, and refused keys", async () => {
    expect(stateOf(await createOperatorChecks(env()).diagnose())).toMatchObject({ database: "ok", storage: "ok" });
    const refused = await createOperatorChecks({ ...env(), S3_SECRET_ACCESS_KEY: "another" }).diagnose();
    expect(refused.find(({ about }) => about === "storage")).toMatchObject({
      state: "fail",
      message: expect.stringContaining("SignatureDoesNotMatch"),
    });
  }, 300_000);

  it("migrates once for concurrent calls", async () => {
    const done = await Promise.all([1, 2, 3].map(() => createOperatorChecks(env()).migrate()));
    expect(done.filter((names) => names.length > 0)).toHaveLength(1);
  });
});

it.each([
  [10, "ok"],
  [-5_000, "warn"],
  [600_000, "fail"],
])("the doctor rates a clock offset of %i ms as %s", (skew, state) => expect(toClock(skew).state).toBe(state));

it.each([
  [100 * 2 ** 30, "ok"],
  [2 ** 31, "warn"],
  [2 ** 20, "fail"],
])("the doctor rates %i bytes of free space as %s", (free, state) => expect(toRoom(free, "/data").state).toBe(state));

it("a doctor check that throws counts as failed", async () => {
  expect(await examined("x", "do y", async () => [ok("x", "fine")])).toMatchObject([{ state: "ok" }]);
  const broken = await examined("x", "do y", () => Promise.reject(new Error("no")));
  expect(broken).toEqual([{ about: "x", state: "fail", message: "no", todo: "do y" }]);
});
