import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Mirror, sha256Of, startMirror } from "../../../tests/support/model-mirror";
import { installSherpaAddon, sherpaAddonVersion } from "../compose/natural-voices";
import type { ModelSet } from "../speech/models/manifest";
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
    installAddon: async () => true,
    measure: async (place, onMeasure) => {
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

it("installs the addon without a write outside the models' folder, because a container's home is read-only", async () => {
  const [bin, models] = [join(top, "bin"), join(top, "addon-models")];
  const manifest = JSON.stringify({ version: sherpaAddonVersion });
  for (const folder of [bin, models]) mkdirSync(folder);
  writeFileSync(
    join(bin, "npm"),
    `#!/bin/sh
while [ $# -gt 0 ]; do case "$1" in --prefix) prefix="$2" ;; --cache) cache="$2" ;; esac; shift; done
mkdir -p "$prefix/node_modules/sherpa-onnx-node" && echo "$cache" > "$prefix/../../cache"
echo '${manifest}' > "$prefix/node_modules/sherpa-onnx-node/package.json"`,
    { mode: 0o755 },
  );
  vi.stubEnv("PATH", `${bin}:${process.env.PATH}`);

  expect(await installSherpaAddon(models)).toBe(true);
  expect(await installSherpaAddon(models)).toBe(false);
  expect(readFileSync(join(models, "cache"), "utf8").startsWith(models)).toBe(true);
  vi.unstubAllEnvs();
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
