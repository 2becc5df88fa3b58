/**
 * A program of its own: phoneme markup in, speech out, over stdin and stdout.
 * eSpeak NG is GPL-3.0; this file alone loads it, and nothing else of the product is linked with it.
 */
import initialise, { type EspeakEvent } from "@echogarden/espeak-ng-emscripten";
import type { EspeakReply, EspeakRequest } from "./espeak-protocol";
import { readFrames, writeFrame } from "./espeak-protocol";

const sampleRate = 22_050;

const { eSpeakNGWorker } = await initialise();
const espeak = await new eSpeakNGWorker();
espeak.set_voice("cmn");

function speak({ markup, rate, range }: EspeakRequest): { pcm: Int16Array; events: EspeakEvent[] } {
  espeak.set_rate(rate);
  espeak.set_range(range);
  const parts: Int16Array[] = [];
  const events: EspeakEvent[] = [];
  espeak.synthesize(markup, (part, happened) => {
    parts.push(part.slice());
    for (const event of happened) events.push(event);
  });
  const pcm = new Int16Array(parts.reduce((total, part) => total + part.length, 0));
  let at = 0;
  for (const part of parts) {
    pcm.set(part, at);
    at += part.length;
  }
  return { pcm, events };
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
