import { createHash } from "node:crypto";
import type { SpeechEngine } from "~server/upstream/speech/engine";
import { speechLike, toPcm } from "./sounds";
import { createToneSpeech, type ToneSpeech } from "./tone-engine";

const secondsPerUnit = 0.2;

/** A tone engine with distinct speech-like audio for every text. */
export function createTalkingSpeech(): ToneSpeech {
  const speech = createToneSpeech("talking");
  return {
    ...speech,
    engine: async () => {
      const tones = await speech.engine();
      const synthesize: SpeechEngine["synthesize"] = async function* (request) {
        const { units } = request.text;
        const said = JSON.stringify([units.map(({ text, pinyin }) => pinyin ?? text), request.voice]);
        const seed = createHash("sha256").update(said).digest().readUInt32LE();
        const seconds = Math.max(0.6, units.length * secondsPerUnit) / request.speed;
        const sound = speechLike({ seconds, seed, pitchHz: 110 + (seed % 120) });
        yield { pcm: toPcm(sound), sampleRate: sound.sampleRate };
      };
      return { ...tones, synthesize };
    },
  };
}
