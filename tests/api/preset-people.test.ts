import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { readConfig } from "~server/config";
import { createSpeech } from "~server/upstream/compose/speech";
import { fakeAddon } from "../support/speech-servers/sherpa-addon";
import { openTestUpstream, type TestUpstream } from "../support/upstream";

const dataDir = mkdtempSync(join(tmpdir(), "preset-people-"));
afterAll(() => rmSync(dataDir, { recursive: true }));

/** Files of Kokoro with an addon that plays tones, as if installed and tried. */
function installKokoro() {
  const folder = join(dataDir, "models/kokoro");
  const addon = join(dataDir, "models/node_modules/sherpa-onnx-node");
  for (const path of [folder, addon]) mkdirSync(path, { recursive: true });
  for (const name of ["model.onnx", "voices.bin", "tokens.txt", "lexicon-zh.txt"])
    writeFileSync(join(folder, name), "");
  writeFileSync(join(folder, "measured.json"), JSON.stringify({ threads: 1, steps: 4 }));
  writeFileSync(join(addon, "index.js"), fakeAddon);
}

const settings = () => readConfig({ DATA_DIR: dataDir }).speech;

async function speakPeople(count: number) {
  const speech = createSpeech(settings(), { withMetrics: (engine) => engine, onChange: () => {} });
  const upstream = await openTestUpstream("embedded", { speech, previews: true });
  upstream.services.startWorker();
  const spoken = await vi.waitFor(() => enough(upstream, count), { timeout: 240_000, interval: 200 });
  await upstream.close();
  return spoken;
}

async function enough(upstream: TestUpstream, count: number): Promise<Array<string | null>> {
  const previews = upstream.database().selectFrom("role").innerJoin("rendition", "rendition.id", "role.preview_id");
  const rows = await previews.select("spoken_by").execute();
  expect(rows.length).toBeGreaterThanOrEqual(count);
  return rows.map((row) => row.spoken_by);
}

describe("the digital humans of the first start", () => {
  it("speak with an installed model's preset voices while it is installed", async () => {
    expect(settings().presets).toBeUndefined();
    installKokoro();
    expect(settings()).toMatchObject({ engines: [{ name: "embedded" }], presets: { folder: expect.any(String) } });
    for (const engine of await speakPeople(1)) expect(engine).toMatch(/^sherpa-presets@/);
    rmSync(join(dataDir, "models/kokoro"), { recursive: true });
    expect(settings().presets).toBeUndefined();
  }, 300_000);
});
