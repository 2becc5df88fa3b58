import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { createEspeak } from "./espeak-process";

const markups = [
  " [[n'i214]] [[x'au214]] [[s.i.'51]] [[ts.'ong55]],",
  " [[n'i214]] Hello world, OpenAI's iPhone [[s.i.'51]] eigh & @ _.",
  " café naïve Straße Łódź e.g. www.example.com 2026?",
];

/** eSpeak with all its files, in a process of its own because of its licence. */
const withAllFiles = `
  import initialise from "@echogarden/espeak-ng-emscripten";
  const { eSpeakNGWorker } = await initialise();
  const espeak = await new eSpeakNGWorker();
  espeak.set_voice("cmn");
  const sounds = ${JSON.stringify(markups)}.map((markup) => {
    espeak.set_rate(170);
    espeak.set_range(80);
    const samples = [];
    espeak.synthesize(markup, (part) => {
      samples.push(...part);
    });
    return Buffer.from(Int16Array.from(samples).buffer).toString("base64");
  });
  console.log(JSON.stringify(sounds));`;

it("eSpeak speaks Mandarin and Latin text with the selected files as with all files", async () => {
  const options = { maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", withAllFiles], options);
  const espeak = createEspeak();
  const selected: string[] = [];
  for (const markup of markups) {
    const { pcm } = await espeak.speak({ markup, rate: 170, range: 80 });
    expect(pcm.length).toBeGreaterThan(10_000);
    selected.push(Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength).toString("base64"));
  }
  espeak.close();
  expect(selected).toEqual(JSON.parse(stdout));
});
