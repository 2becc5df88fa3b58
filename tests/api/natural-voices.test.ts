import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "~server/config";
import { findInstalledModels, modelsFolder } from "~server/settings/installed";
import { measureVoice } from "~server/upstream/compose/natural-voices";
import { createSpeech } from "~server/upstream/compose/speech";
import { runVoicesCommand } from "~server/upstream/operations/voices-command";
import { modelSets } from "~server/upstream/speech/models/manifest";
import { type Mirror, sha256Of, startMirror } from "../support/model-mirror";
import { hasSherpaAddon, tokensText, zipVoiceFiles } from "../support/sherpa/models";
import { createTrial, uploadVoice, waitForTrial } from "../support/trial";
import { createVisitor, openTestUpstream, type TestUpstream } from "../support/upstream";

const dataDir = mkdtempSync(join(tmpdir(), "natural-"));
const packages = fileURLToPath(new URL("../node_modules", import.meta.url));
const files: Record<string, Uint8Array> = {
  ...Object.fromEntries(Object.entries(zipVoiceFiles()).map(([name, path]) => [name, readFileSync(path)])),
  "tokens.txt": new TextEncoder().encode(tokensText),
};

/** The list of models with the small graphs instead of the real files. */
const zipvoice = {
  ...(modelSets.zipvoice as (typeof modelSets)[string]),
  files: Object.entries(files).map(([name, bytes]) => ({ name, bytes: bytes.length, sha256: sha256Of(bytes) })),
};

describe.runIf(hasSherpaAddon)("a natural voice from the installation to a visitor's clone", () => {
  let mirror: Mirror;
  let upstream: TestUpstream;
  beforeAll(async () => {
    mirror = await startMirror(
      Object.fromEntries(Object.entries(files).map(([name, each]) => [`zipvoice/${name}`, each])),
    );
  });
  afterAll(async () => {
    await upstream?.close();
    await mirror.close();
    rmSync(dataDir, { recursive: true });
  });

  it("is spoken by sherpa-onnx, and the record says so", { timeout: 600_000 }, async () => {
    const folder = modelsFolder(dataDir);
    const lines: string[] = [];
    const code = await runVoicesCommand(["install", "zipvoice", "--accept"], {
      store: { folder, mirrors: [mirror.url], sets: { zipvoice } },
      print: (text) => lines.push(text),
      terminal: { write: () => true },
      ask: null,
      // Instead of npm.
      installAddon: async () => {
        symlinkSync(packages, join(folder, "node_modules"));
        return true;
      },
      measure: measureVoice,
      signal: new AbortController().signal,
    });
    expect([code, lines.join("\n")]).toEqual([0, expect.stringMatching(/it spoke; fastest here/)]);
    expect(findInstalledModels(dataDir).voice).toBe(join(folder, "zipvoice"));

    const { speech: settings } = readConfig({ DATA_DIR: dataDir });
    expect(settings.engines.map(({ name }) => name)).toEqual(["sherpa", "embedded"]);
    const speech = createSpeech(settings, { withMetrics: (engine) => engine, onChange: () => {} });
    upstream = await openTestUpstream("embedded", { speech, previews: false });
    upstream.services.startWorker();

    const visitor = createVisitor(upstream.services);
    const voicePath = await uploadVoice(visitor);
    const transcript = "希望你以后能够做得比我还好。";
    const { data } = await createTrial(visitor, { content: "你好，今天是3月5日。", voicePath, transcript });
    expect(await waitForTrial(visitor, data.taskId, 300_000)).toMatchObject({ status: 2 });
    const db = upstream.database();
    const row = await db.selectFrom("rendition").select("spoken_by").executeTakeFirstOrThrow();
    expect(row.spoken_by).toBe("sherpa@2:zipvoice:zipvoice");
  });
});
