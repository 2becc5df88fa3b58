import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Mirror, sha256Of, startMirror } from "../../../tests/support/model-mirror";
import { readArrival, readDeclined } from "../../speech/models/arrival";
import type { ModelSet } from "../../speech/models/manifest";
import { installRuntime, runtimes } from "../../speech/models/runtimes";
import { createProgress } from "./progress";
import { runVoicesCommand, type VoicesOptions } from "./voices-command";

const top = mkdtempSync(join(tmpdir(), "voices-"));
afterAll(() => rmSync(top, { recursive: true }));

const bytes = new Uint8Array(200_000).fill(7);
const files = [{ name: "model.onnx", bytes: bytes.length, sha256: sha256Of(bytes) }];
const described = { title: "A model", about: "https://example.com", licence: "A licence", files };
const sets: Record<string, ModelSet> = {
  speaker: { ...described, kind: "voice", mayBeSold: "no" },
  detector: { ...described, kind: "part", mayBeSold: "yes" },
};

let mirror: Mirror;
let folder: string;
let count = 0;
beforeEach(async () => {
  mirror = await startMirror({ "speaker/model.onnx": bytes, "detector/model.onnx": bytes });
  folder = join(top, `data-${count++}`);
});
afterEach(() => mirror.close());

let opened = 0;
async function run(line: string, options: Partial<VoicesOptions> = {}) {
  let text = "";
  const write = (more: string) => {
    text += more;
  };
  const measurement = { threads: 2, steps: 4, realTimeFactor: 0.8 };
  const code = await runVoicesCommand(line.split(" "), {
    openStore: () => {
      opened++;
      return { folder, mirrors: [mirror.url], sets };
    },
    print: (more) => write(`${more}\n`),
    terminal: { write },
    ask: null,
    installRuntime: async () => true,
    measure: async (place, _runtime, onMeasure) => {
      onMeasure(measurement);
      writeFileSync(join(place, "measured.json"), JSON.stringify(measurement));
      return measurement;
    },
    signal: new AbortController().signal,
    download: { retries: 0, backoffMs: 1 },
    ...options,
  });
  return { code, text };
}

describe("npm run voices", () => {
  it("lists models with size, state and whether they may be sold", async () => {
    const { code, text } = await run("list");
    expect(code).toBe(0);
    expect(text).toMatch(/name +size +may be sold .*\nspeaker +200 kB +no +- /);
    await run("install speaker --accept");
    expect((await run("list")).text).toMatch(/speaker .* installed/);
  });

  it("says size and licence and installs nothing unless it is accepted", async () => {
    const refused = await run("install speaker");
    expect(refused.code).toBe(1);
    expect(refused.text).toMatch(/size: 200 kB.*licence: A licence.*it MAY NOT be used in a paid service.*--accept/s);
    const declined = await run("install speaker", { ask: async () => false });
    expect(declined).toMatchObject({ code: 1, text: expect.stringMatching(/nothing was downloaded/) });
    expect(mirror.requests).toEqual([]);
    expect((await run("install speaker", { ask: async () => true })).code).toBe(0);
  });

  it("installs, tries and measures a voice, and keeps what it measured", async () => {
    const { code, text } = await run("install speaker --accept");
    expect(code).toBe(0);
    expect(text).toMatch(/\[#+\] 100 %/);
    expect(text).toMatch(/fastest here: 2 threads, 4 steps: 0\.80 s for a second of speech/);
    expect(JSON.parse(readFileSync(join(folder, "speaker", "measured.json"), "utf8"))).toMatchObject({ threads: 2 });
    expect((await run("install detector --accept")).text).not.toMatch(/fastest/);
  });

  it("verifies and removes", async () => {
    expect((await run("verify")).text).toMatch(/nothing is installed/);
    await run("install detector --accept");
    expect(await run("verify")).toEqual({ code: 0, text: "detector: every file is right\n" });
    writeFileSync(join(folder, "detector", "model.onnx"), "other");
    expect(await run("verify detector")).toMatchObject({
      code: 1,
      text: expect.stringMatching(/wrong or missing: model/),
    });
    expect((await run("remove detector")).code).toBe(0);
    expect(existsSync(join(folder, "detector"))).toBe(false);
  });

  it("tells a running product how it gets on, and whether it is wanted", async () => {
    const told: Array<ReturnType<typeof readArrival>> = [];
    const look = async () => {
      told.push(readArrival(folder, "speaker"));
      return true;
    };
    await run("install speaker --accept", { installRuntime: look });
    expect(told).toMatchObject([{ set: "speaker", step: "runtime", received: 200_000, total: 200_000 }]);
    expect(readArrival(folder, "speaker")).toBeNull();
    await run("remove speaker");
    expect(readDeclined(folder)).toEqual(["speaker"]);
    mirror.plan("speaker/model.onnx", ["missing"], { always: true });
    await run("install speaker --accept");
    expect(readDeclined(folder)).toEqual([]);
    expect(readArrival(folder, "speaker")).toMatchObject({ step: "failed", fault: "download" });
  });

  it("explains refusals in a sentence and tells typing errors apart", async () => {
    mirror.plan("speaker/model.onnx", ["missing"], { always: true });
    const absent = await run("install speaker --accept");
    expect(absent).toMatchObject({ code: 1, text: expect.stringMatching(/no mirror has it.*answers 404/s) });
    expect(absent.text).not.toMatch(/ at /);
    expect((await run("install nothing --accept")).text).toMatch(/there are speaker, detector/);
    expect((await run("licence speaker")).text).toMatch(/A licence/);
  });

  it.each([
    "install",
    "fetch",
    "list a",
    "verify a b",
    "list --accept",
    "install speaker --force",
    "--what",
    "help --what",
  ])("refuses %s before it reads the settings", async (line) => {
    const before = opened;
    expect((await run(line)).code).toBe(2);
    expect(opened).toBe(before);
  });

  it.each(["help", "--help", "-h", "install --help", "help install"])("helps without settings: %s", async (line) => {
    const before = opened;
    expect(await run(line)).toMatchObject({ code: 0, text: expect.stringContaining("install NAME [--accept]") });
    expect(opened).toBe(before);
  });

  it("says how to go on after an interruption", async () => {
    const signal = AbortSignal.abort();
    expect(await run("install speaker --accept", { signal })).toMatchObject({
      code: 1,
      text: expect.stringMatching(/interrupted; the same command goes on/),
    });
  });
});

describe("the installation of an addon", () => {
  const bin = join(top, "bin");
  beforeEach(() => {
    mkdirSync(bin, { recursive: true });
    writeFileSync(
      join(bin, "npm"),
      `#!/bin/sh
while [ $# -gt 0 ]; do case "$1" in
  --prefix) prefix="$2" ;; --cache) cache="$2" ;; *-node@*) name="\${1%@*}"; version="\${1#*@}" ;;
esac; shift; done
[ -e "${bin}/fails" ] && echo "npm error network" >&2 && exit 1
mkdir -p "$prefix/node_modules/$name" "$prefix/node_modules/@scope/part" && echo "$cache" > "$prefix/../../cache"
echo "{\\"version\\":\\"$version\\"}" > "$prefix/node_modules/$name/package.json"`,
      { mode: 0o755 },
    );
    vi.stubEnv("PATH", `${bin}:${process.env.PATH}`);
  });
  afterEach(() => vi.unstubAllEnvs());

  it("writes nothing outside the models' folder, because a container's home is read-only", async () => {
    expect(await installRuntime(folder, "sherpa-onnx-node")).toBe(true);
    expect(await installRuntime(folder, "sherpa-onnx-node")).toBe(false);
    expect(readFileSync(join(folder, "cache"), "utf8").startsWith(folder)).toBe(true);
  });

  it("leaves the addon of another engine where it is", async () => {
    for (const name of ["sherpa-onnx-node", "onnxruntime-node"] as const) await installRuntime(folder, name);
    for (const name of ["sherpa-onnx-node", "onnxruntime-node"] as const) {
      const manifest = readFileSync(join(folder, "node_modules", name, "package.json"), "utf8");
      expect(JSON.parse(manifest)).toEqual({ version: runtimes[name].version });
    }
    expect(existsSync(join(folder, "node_modules/@scope/part"))).toBe(true);
  });

  it("says what npm says where it fails", async () => {
    writeFileSync(join(bin, "fails"), "");
    await expect(installRuntime(folder, "onnxruntime-node")).rejects.toThrow(
      /npm could not install onnxruntime-node@.*: npm error network/,
    );
    rmSync(join(bin, "fails"));
    expect(await installRuntime(folder, "onnxruntime-node")).toBe(true);
  });
});

describe("the progress of a download", () => {
  function show(isTTY: boolean) {
    let at = 0;
    const written: string[] = [];
    const progress = createProgress({ isTTY, write: (more: string) => written.push(more) }, () => at);
    for (let received = 0; received <= 100; received++) {
      at = received * 100;
      progress.update("model.onnx", received * 1_000_000, 100_000_000);
    }
    return written.join("").replaceAll("\u001b[K", "");
  }

  it("is a bar with rate and time left on a terminal", () => {
    expect(show(true)).toMatch(/\r {2}model\.onnx {2}\[#{12}-{12}\] 50 % {2}50 MB of 100 MB {2}10 MB\/s {2}0:05 left/);
  });

  it("is a line for every tenth elsewhere", () => {
    const lines = show(false).trim().split("\n");
    expect(lines.length).toBeGreaterThan(8);
    expect(lines.length).toBeLessThan(13);
    expect(show(false)).not.toContain("\r");
  });
});
