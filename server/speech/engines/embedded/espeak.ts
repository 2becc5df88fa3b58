/**
 * A separate program: reads phoneme markup on stdin and writes speech to stdout.
 * eSpeak NG is GPL-3.0; only this file loads it, and nothing else is linked with it.
 */

import type { EspeakEvent } from "@echogarden/espeak-ng-emscripten";
import initialise from "@echogarden/espeak-ng-emscripten";
import { concatArrays } from "../../dsp/pcm";
import { type EspeakReply, type EspeakRequest, type PronounceRequest, readFrames, writeFrame } from "./espeak-protocol";

const sampleRate = 22_050;

/** Its views of the memory change when the memory grows. */
const program = await initialise();
const espeak = await new program.eSpeakNGWorker();
espeak.set_voice("cmn");

/**
 * Phases and the flutter of the pitch continue from text to text, so that samples differ where a text is repeated. Its
 * memory cannot be reset between texts: eSpeak keeps state elsewhere too, and then hangs or speaks other sounds.
 */
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

function toReply(events: EspeakEvent[]): EspeakReply {
  const words = events.filter(({ type }) => type === "word");
  const phonemes = events.filter(({ type }) => type === "phoneme");
  return {
    sampleRate,
    words: words.map((event) => ({ ms: event.audio_position, position: event.text_position })),
    phonemes: phonemes.map((event) => ({ ms: event.audio_position, ipa: String(event.id ?? "") })),
  };
}

/** IPA of each word; sounds are joined by `_`. */
function pronounce({ words }: PronounceRequest): EspeakReply {
  espeak.set_voice("en-us");
  const pronunciations = words.map((word) => readText(espeak.text_to_phonemes(word, true).ptr));
  espeak.set_voice("cmn");
  return { sampleRate, words: [], phonemes: [], pronunciations };
}

function readText(start: number): string {
  const end = program.HEAPU8.indexOf(0, start);
  return Buffer.from(program.HEAPU8.subarray(start, end)).toString("utf8");
}

readFrames<EspeakRequest | PronounceRequest>(process.stdin, ({ head }) => {
  try {
    if ("words" in head) {
      writeFrame(process.stdout, pronounce(head));
      return;
    }
    const { pcm, events } = speak(head);
    writeFrame(process.stdout, toReply(events), new Uint8Array(pcm.buffer));
  } catch (error) {
    writeFrame(process.stdout, { fault: String(error) });
  }
});
process.stdin.on("end", () => process.exit(0));
