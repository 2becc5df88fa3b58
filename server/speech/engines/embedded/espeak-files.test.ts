import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { createEspeak } from "./espeak-process";

const markups = [
  " [[n'i214]] [[x'au214]] [[s.i.'51]] [[ts.'ong55]],",
  " [[n'i214]] Hello world, OpenAI's iPhone [[s.i.'51]] eigh & @ _.",
  " café naïve Straße Łódź e.g. www.example.com 2026?",
];

/** What eSpeak says with all its files, in a separate process because of its licence. */
const withAllFiles = `
  import initialise from "@echogarden/espeak-ng-emscripten";
  const { eSpeakNGWorker } = await initialise();
  const espeak = await new eSpeakNGWorker();
  espeak.set_voice("cmn");
  espeak.set_rate(170);
  espeak.set_range(80);
  const spoken = ${JSON.stringify(markups)}.map((markup) => {
    const said = { samples: 0, phonemes: [] };
    espeak.synthesize(markup, (part, events) => {
      said.samples += part.length;
      for (const { type, id } of events) if (type === "phoneme") said.phonemes.push(String(id ?? ""));
    });
    return said;
  });
  console.log(JSON.stringify(spoken));`;

it("eSpeak says the same in the same time with the selected files as with all files", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", withAllFiles]);
  const expected: Array<{ samples: number; phonemes: string[] }> = JSON.parse(stdout);
  const espeak = createEspeak();
  onTestFinished(espeak.close);
  for (const [i, { samples, phonemes }] of expected.entries()) {
    const speech = await espeak.speak({ markup: markups[i] as string, rate: 170, range: 80 });
    expect(speech.phonemes.map(({ ipa }) => ipa)).toEqual(phonemes);
    // Phases and flutter continue from text to text.
    expect(Math.abs(speech.pcm.length / samples - 1)).toBeLessThan(0.02);
  }
  expect(expected.length).toBe(markups.length);
});
