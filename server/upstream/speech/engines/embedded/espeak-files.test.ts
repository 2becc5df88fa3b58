import initialise, { type EspeakEvent } from "@echogarden/espeak-ng-emscripten";
import { expect, it } from "vitest";
import { selectFiles } from "./espeak-files";

const markups = [
  " [[n'i214]] [[x'au214]] [[s.i.'51]] [[ts.'ong55]],",
  " [[n'i214]] Hello world, OpenAI's iPhone [[s.i.'51]] eigh & @ _.",
  " café naïve Straße Łódź e.g. www.example.com 2026?",
];

async function speakAll(hooks?: object) {
  const { eSpeakNGWorker } = await initialise(hooks);
  const espeak = await new eSpeakNGWorker();
  espeak.set_voice("cmn");
  return markups.map((markup) => {
    const [samples, events]: [number[], EspeakEvent[]] = [[], []];
    espeak.synthesize(markup, (part, received) => {
      samples.push(...part);
      events.push(...received);
    });
    return { samples: Buffer.from(Int16Array.from(samples).buffer).toString("base64"), events };
  });
}

it("eSpeak speaks Mandarin and Latin text with the selected files as with all files", async () => {
  const selected = await speakAll(selectFiles());
  expect(selected.every(({ samples }) => samples.length > 20_000)).toBe(true);
  expect(selected).toEqual(await speakAll());
});
