import { createHash } from "node:crypto";
import type { SpeechEngine, Timeline } from "~server/speech/engine";
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
      const synthesize: SpeechEngine["synthesize"] = async function* (request, signal) {
        const { units } = request.text;
        const said = JSON.stringify([units.map(({ text, pinyin }) => pinyin ?? text), request.voice]);
        const seed = createHash("sha256").update(said).digest().readUInt32LE();
        const seconds = Math.max(0.6, units.length * secondsPerUnit) / request.speed;
        const sound = speechLike({ seconds, seed, pitchHz: 110 + (seed % 120) });
        for await (const { timeline } of tones.synthesize(request, signal))
          yield { pcm: toPcm(sound), sampleRate: sound.sampleRate, timeline: timeline && stretch(timeline, seconds) };
      };
      return { ...tones, synthesize };
    },
  };
}

function stretch(timeline: Timeline, seconds: number): Timeline {
  const ratio = (1000 * seconds) / timeline.durationMs;
  const move = <T extends { start: number; end: number }>(part: T): T => ({
    ...part,
    start: part.start * ratio,
    end: part.end * ratio,
  });
  return {
    ...timeline,
    durationMs: 1000 * seconds,
    units: timeline.units.map(move),
    phonemes: timeline.phonemes.map(move),
  };
}
