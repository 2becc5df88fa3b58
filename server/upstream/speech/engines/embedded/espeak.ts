/**
 * A separate program: reads phoneme markup on stdin and writes speech to stdout.
 * eSpeak NG is GPL-3.0; only this file loads it, and nothing else is linked with it.
 */
import initialise, { type EspeakEvent } from "@echogarden/espeak-ng-emscripten";
import { concatArrays } from "../../dsp/pcm";
import { selectFiles } from "./espeak-files";
import type { EspeakReply, EspeakRequest } from "./espeak-protocol";
import { readFrames, writeFrame } from "./espeak-protocol";

const sampleRate = 22_050;

const { eSpeakNGWorker } = await initialise(selectFiles());
const espeak = await new eSpeakNGWorker();
espeak.set_voice("cmn");

function speak({ markup, rate, range }: EspeakRequest): { pcm: Int16Array; events: EspeakEvent[] } {
  espeak.set_rate(rate);
  espeak.set_range(range);
  const parts: Int16Array[] = [];
  const events: EspeakEvent[] = [];
  espeak.synthesize(markup, (part, received) => {
    parts.push(part.slice());
    for (const event of received) events.push(event);
  });
  return { pcm: concatArrays(Int16Array, parts), events };
}

function toReply(id: number, events: EspeakEvent[]): EspeakReply {
  const words = events.filter(({ type }) => type === "word");
  const phonemes = events.filter(({ type }) => type === "phoneme");
  return {
    id,
    sampleRate,
    words: words.map((event) => ({ ms: event.audio_position, position: event.text_position })),
    phonemes: phonemes.map((event) => ({ ms: event.audio_position, ipa: String(event.id ?? "") })),
  };
}

readFrames<EspeakRequest>(process.stdin, ({ head }) => {
  try {
    const { pcm, events } = speak(head);
    writeFrame(process.stdout, toReply(head.id, events), new Uint8Array(pcm.buffer));
  } catch (error) {
    writeFrame(process.stdout, { id: head.id, fault: String(error) });
  }
});
process.stdin.on("end", () => process.exit(0));
