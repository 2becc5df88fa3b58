import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { modelSets } from "../../../server/speech/models/manifest";
import { sha256Of, startMirror } from "../model-mirror";
import { createSmallGraph, createSmallStyles } from "./model";

const packages = fileURLToPath(new URL("../../node_modules", import.meta.url));

/** A mirror that serves the small Kokoro, and the settings of a product that fetches it instead of the real one. */
export async function startKokoroMirror(dataDir: string) {
  const files = { "model.onnx": createSmallGraph(), "voices.bin": createSmallStyles() };
  const mirror = await startMirror(
    Object.fromEntries(Object.entries(files).map(([name, bytes]) => [`kokoro/${name}`, bytes])),
  );
  const described = Object.entries(files).map(([name, bytes]) => ({
    name,
    bytes: bytes.length,
    sha256: sha256Of(bytes),
  }));
  const manifest = join(dataDir, "models.json");
  writeFileSync(manifest, JSON.stringify({ kokoro: { ...modelSets.kokoro, workBytes: 1, files: described } }));
  // The runtime of the tests, where npm would put it.
  mkdirSync(join(dataDir, "models"), { recursive: true });
  symlinkSync(packages, join(dataDir, "models", "node_modules"));
  return { mirror, settings: { DATA_DIR: dataDir, VOICES_MIRROR: mirror.url, VOICES_MANIFEST: manifest } };
}
