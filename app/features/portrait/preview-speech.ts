import type { Speech } from "~server/portrait/spoken-timeline";

const pauseMs = 450;
/** Consonants are shorter than vowels. */
const soundMs = { consonant: 70, vowel: 130 };
const vowels = new Set(["aa", "E", "ih", "oh", "ou"]);

/** 大家好，我是你的声音，陪你说话。 by the mouths of its sounds; a bar is a pause. */
const sentence = "DD aa CH ih aa kk aa ou | ou oh SS ih nn ih DD E SS E nn ih nn | PP E ih nn ih SS oh kk ou aa |";

/** Silent speech that shows in a loop how a photo moves. */
export function createPreviewSpeech(): Speech {
  const phonemes: { start: number; end: number; viseme: string }[] = [];
  const units: { text: string; offset: number; start: number; end: number }[] = [];
  let now = 0;
  let phrase = 0;
  for (const name of sentence.split(" ")) {
    const start = now;
    if (name === "|") {
      units.push({ text: name, offset: units.length, start: phrase, end: now });
      now += pauseMs;
      phrase = now;
    } else now += vowels.has(name) ? soundMs.vowel : soundMs.consonant;
    phonemes.push({ start, end: now, viseme: name === "|" ? "sil" : name });
  }
  const started = performance.now();
  return {
    id: sentence,
    timeline: { durationMs: now, units, phonemes },
    seconds: () => ((performance.now() - started) % now) / 1000,
  };
}
