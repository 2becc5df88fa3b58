import type { SpeechRequest } from "../../engine";
import { createHttpBackend, type HttpServer } from "./http-backend";
import type { Backend } from "./remote-engine";

export interface FishSpeechSettings {
  url: string;
  apiKey: string | undefined;
}

/** Fish's own words for feelings, in brackets before the text. */
const markers: Partial<Record<string, string>> = {
  happy: "(happy)",
  angry: "(angry)",
  sad: "(sad)",
  afraid: "(scared)",
  disgusted: "(disgusted)",
  melancholic: "(depressed)",
  surprised: "(surprised)",
  calm: "(relaxed)",
};
const leastWeight = 0.2;

/** The project's own API server (tools/api_server.py). It knows no speed; its streams are WAV alone. */
export function createFishSpeechBackend({ url, apiKey }: FishSpeechSettings): Backend {
  const headers: Record<string, string> = apiKey ? { authorization: `Bearer ${apiKey}` } : {};
  const server: HttpServer = {
    id: "fish-speech",
    version: "1",
    maxChars: 2000,
    languages: ["zh", "en"],
    reference: { minSeconds: 2, maxSeconds: 29 },
    speeds: null,
    health: { url: `${url}/v1/health`, headers },
    rateOf: () => 44_100,
    ask: ({ text, voice, emotion }) => ({
      url: `${url}/v1/tts`,
      headers,
      body: {
        text: `${markerOf(emotion)}${text}`,
        references: [{ audio: voice.wav, text: voice.text }],
        format: "wav",
        streaming: true,
        normalize: true,
        // People may delete their recordings: the server is to keep none.
        use_memory_cache: "off",
      },
    }),
  };
  return createHttpBackend(server);
}

function markerOf(emotion: SpeechRequest["emotion"]): string {
  const [strongest] = Object.entries(emotion ?? {}).sort(([, a], [, b]) => b - a);
  return strongest && strongest[1] >= leastWeight ? (markers[strongest[0]] ?? "") : "";
}
