import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { createEspeak } from "./espeak-process";

const markups = [
  " [[n'i214]] [[x'au214]] [[s.i.'51]] [[ts.'ong55]],",
  " [[n'i214]] Hello world, OpenAI's iPhone [[s.i.'51]] eigh & @ _.",
  " café naïve Straße Łódź e.g. www.example.com 2026?",
];

/** A sound of eSpeak with all its files, in a separate process because of its licence. */
const withAllFiles = (markup: string) => `
  import initialise from "@echogarden/espeak-ng-emscripten";
  const { eSpeakNGWorker } = await initialise();
  const espeak = await new eSpeakNGWorker();
  espeak.set_voice("cmn");
  espeak.set_rate(170);
  espeak.set_range(80);
  const samples = [];
  espeak.synthesize(${JSON.stringify(markup)}, (part) => {
    samples.push(...part);
  });
  console.log(Buffer.from(Int16Array.from(samples).buffer).toString("base64"));`;

it("eSpeak speaks the same with the selected files after other texts as a new process with all files", async () => {
  const options = { maxBuffer: 64 * 1024 * 1024 };
  const expected = new Map<string, string>();
  for (const markup of markups) {
    const program = ["--input-type=module", "-e", withAllFiles(markup)];
    expected.set(markup, (await promisify(execFile)(process.execPath, program, options)).stdout.trim());
  }
  const espeak = createEspeak();
  for (const markup of [...markups, ...markups.slice().reverse()]) {
    const { pcm } = await espeak.speak({ markup, rate: 170, range: 80 });
    expect(pcm.length).toBeGreaterThan(10_000);
    const isEqual = Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength).toString("base64") === expected.get(markup);
    expect({ markup, isEqual }).toEqual({ markup, isEqual: true });
  }
  espeak.close();
});
