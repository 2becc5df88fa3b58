import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { alignNothing, describeEngine } from "../../../../tests/support/engine-conformance";
import { checksumSamples, hasSherpaAddon, makeZipVoice } from "../../../../tests/support/sherpa/models";
import { speechLike } from "../../../../tests/support/sounds";
import { prepareText } from "../../chinese/prepare";
import cases from "../../chinese/prepare.cases.json";
import type { SpeechEngine, SpokenUnit } from "../../engine";
import { createRemoteEngine } from "../remote/remote-engine";
import { toTextRuns } from "../remote/runs";
import { createSherpaBackend } from "./engine";
import { createSherpaProcess, type SherpaProcessOptions } from "./process";
import { writeSyllable } from "./syllables";

const top = mkdtempSync(join(tmpdir(), "sherpa-addon-"));
afterAll(() => rmSync(top, { recursive: true }));

const never = new AbortController().signal;
const reference = speechLike({ seconds: 3, seed: 3 });
const backends = new Map<SpeechEngine, ReturnType<typeof createSherpaBackend>>();

function engineOf(options: SherpaProcessOptions & { folder: string }, limits = {}): SpeechEngine {
  const backend = createSherpaBackend(options);
  const engine = createRemoteEngine(backend, {
    concurrency: 1,
    maxQueue: 8,
    timeoutMs: 30_000,
    ...limits,
    align: alignNothing,
  });
  backends.set(engine, backend);
  return engine;
}

/** Initials and finals as the model was trained on them, written independently of the product's. */
function tokensOf({ kind, pinyin = "" }: SpokenUnit): string[] {
  if (kind !== "syllable") return [];
  const [, letters = "", suffix = "", tone = ""] = /^(er|[a-z]+?)(r?)([1-5])$/.exec(pinyin) ?? [];
  const [, initial = "", final = ""] = /^(zh|ch|sh|[bpmfdtnlgkhjqxrzcsyw]?)(.*)$/.exec(letters) ?? [];
  return [...(initial ? [`${initial}0`] : []), `${final}${tone}`, ...(suffix ? ["er5"] : [])];
}

/** Texts whose syllables did not reach the encoder as the front end read them. */
async function findLostReadings(texts: readonly string[], folder: string): Promise<string[]> {
  const child = createSherpaProcess({ folder, minCharacters: 1000, speed: { threads: 1, steps: 1 } });
  const voice = {
    ...reference,
    text: writeSyllable({ kind: "syllable", text: "你", offset: 0, length: 1, pinyin: "ni3" }, undefined),
  };
  const lost: string[] = [];
  for (const text of texts) {
    const units = prepareText(text).units.filter(({ kind, pauseMs }) => kind !== "pause" || pauseMs === undefined);
    const expected = units.flatMap(tokensOf);
    if (expected.length === 0) continue;
    const run = toTextRuns(units, 1, writeSyllable)[0]?.text ?? "";
    let samples = 0;
    for await (const part of child.speak({ text: run, speed: 1, voice }, never)) samples += part.samples.length;
    if (samples !== checksumSamples(expected)) lost.push(text);
  }
  child.close();
  return lost;
}

describe.runIf(hasSherpaAddon)("the real sherpa-onnx addon with small graphs", () => {
  const folder = hasSherpaAddon ? makeZipVoice(join(top, "zipvoice")) : "";
  const checksums = hasSherpaAddon ? makeZipVoice(join(top, "checksums"), { checksum: true }) : "";

  // Many steps, because small graphs are fast.
  const slow = { threads: 1, steps: 64 };
  describeEngine("the real sherpa-onnx addon", {
    create: async (limits) => engineOf({ folder, minCharacters: 4, speed: slow }, { ...limits, concurrency: 1 }),
    voice: (engine) => engine.enroll(reference, { transcript: prepareText("希望你以后能够做得比我还好。") }),
    short: prepareText("你好，世界。"),
    long: prepareText("今天的气温是二十三度。非常适合出门散步。小李带着他的相机。准备拍几张照片。".repeat(2)),
    crash: (engine) => {
      const id = backends.get(engine)?.processId();
      if (id) process.kill(id, "SIGKILL");
    },
  });

  it("notices a wrong syllable and a missing one", async () => {
    expect(checksumSamples(["n0", "i2", "h0", "ao3"])).not.toBe(checksumSamples(["n0", "i3", "h0", "ao3"]));
    expect(checksumSamples(["n0", "i2", "h0", "ao3"])).not.toBe(checksumSamples(["h0", "ao3"]));
    expect(await findLostReadings(["你好"], checksums)).toEqual([]);
  });

  it("receives every syllable of the reading cases as it was read", { timeout: 600_000 }, async () => {
    const texts = Object.values(cases).flatMap((group) => Object.keys(group));
    expect(await findLostReadings(texts, checksums)).toEqual([]);
  });

  /** READING_TEXTS=file,… with a text in every line, or `kind<tab>text<tab>…`. READING_LINES limits the lines of a file. */
  const files = (process.env.READING_TEXTS ?? "").split(",").filter(existsSync);
  it.runIf(files.length > 0)(
    "receives every syllable of other texts as it was read",
    { timeout: 1_200_000 },
    async () => {
      const texts = files.flatMap((file) => {
        const lines = readFileSync(file, "utf8").replaceAll("▁", "").split("\n").filter(Boolean);
        const stride = Math.max(1, Math.floor(lines.length / Number(process.env.READING_LINES ?? lines.length)));
        return lines.filter((_, i) => i % stride === 0).map((line) => line.split("\t")[1] ?? line);
      });
      console.log(`${texts.length} texts`);
      expect(await findLostReadings(texts, checksums)).toEqual([]);
    },
  );

  it("starts again after its memory limit, between requests", async () => {
    const engine = engineOf({ folder, maxMegabytes: 60, speed: { threads: 1, steps: 1 } });
    const voice = await engine.enroll(reference, { transcript: prepareText("你好。") });
    const speak = async () => {
      for await (const _ of engine.synthesize({ text: prepareText("你好。"), voice, speed: 1 }, never));
      return backends.get(engine)?.processId();
    };
    const first = await speak();
    expect(first).toBeGreaterThan(0);
    await expect.poll(() => backends.get(engine)?.processId()).toBeUndefined();
    expect(await speak()).not.toBe(first);
    await engine.close();
  });

  it("fails only the request for corrupt graphs", async () => {
    const broken = makeZipVoice(join(top, "broken"));
    writeFileSync(join(broken, "decoder.int8.onnx"), "no graph");
    const engine = engineOf({ folder: broken });
    const voice = await engine.enroll(reference, { transcript: prepareText("你好。") });
    expect(await engine.probe?.()).toBe(false);
    const speaking = engine.synthesize({ text: prepareText("你好。"), voice, speed: 1 }, never)[Symbol.asyncIterator]();
    await expect(speaking.next()).rejects.toMatchObject({ fault: "engine" });
    await engine.close();
  });
});
