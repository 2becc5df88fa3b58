import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { resolveProgram } from "../../../../tests/support/programs";
import { createEspeak } from "./espeak-process";

const folder = mkdtempSync(join(tmpdir(), "espeak-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** An eSpeak that goes wrong at the word `fault`: `once`, or in every program. */
function createFaulty(fault: string, { once }: { once: boolean }) {
  const { path, nodeArguments, env } = resolveProgram("./speech/engines/embedded", "espeak");
  const reports: string[] = [];
  const program = {
    path: fileURLToPath(new URL("../../../../tests/support/faulty-espeak.mjs", import.meta.url)),
    nodeArguments,
    env: { ...env, FAULT: fault, PROGRAM: pathToFileURL(path).href, ...(once && { ONCE: join(folder, fault) }) },
  };
  const espeak = createEspeak({ program, answerMs: 10_000, report: (line) => reports.push(line) });
  onTestFinished(espeak.close);
  return { reports, speak: (markup: string) => espeak.speak({ markup, rate: 224, range: 80 }) };
}

describe("a program of eSpeak", () => {
  it.each([
    ["never answers", /^eSpeak gave no answer within 10 s$/],
    ["writes to its error output without end", /^eSpeak complained: memory access out of bounds$/],
    ["sends what is no answer", /^eSpeak sent invalid output: A frame of \d+ bytes is too large$/],
    ["ends", /^eSpeak ended \(7\)$/],
    ["speaks silence", /^eSpeak spoke a known sentence as “n ˈi x a u .*, \d+ samples of level 0$/],
    ["speaks other words", /^eSpeak spoke a known sentence as “n ˈi x o u /],
  ])("that %s is replaced, and a new one speaks the text", async (fault, report) => {
    const { speak, reports } = createFaulty(fault, { once: true });
    const { pcm, phonemes } = await speak(" [[x'au214]] fault,");
    expect(Math.max(...pcm)).toBeGreaterThan(1000);
    expect(phonemes.map(({ ipa }) => ipa).join("")).toBe("xˈau(en)fɒlt(cmn)");
    expect(reports).toEqual([expect.stringMatching(report)]);
  });

  it("fails on a text at which two programs go wrong, and speaks the texts behind it", async () => {
    const { speak, reports } = createFaulty("ends", { once: false });
    const [wrong, next] = await Promise.allSettled([speak(" fault,"), speak(" [[x'au214]],")]);
    expect(wrong).toMatchObject({ reason: { name: "SpeechError", fault: "engine", message: "eSpeak ended (7)" } });
    expect(next.status).toBe("fulfilled");
    expect(reports.length).toBe(2);
  });
});
