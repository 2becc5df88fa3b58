import type { Emotion, SpeechRequest } from "../../engine";
import { findStrongest } from "../delivery";
import type { Backend } from "./backend";
import { createHttpBackend, type HttpServer } from "./http-backend";

export interface FishSpeechSettings {
  url: string;
  apiKey: string | undefined;
}

/** Emotion markers of fish-speech, put before the text. */
const markers: Record<Emotion, string> = {
  happy: "(happy)",
  angry: "(angry)",
  sad: "(sad)",
  afraid: "(scared)",
  disgusted: "(disgusted)",
  melancholic: "(depressed)",
  surprised: "(surprised)",
  calm: "(relaxed)",
};

/** Backend for fish-speech's API server (tools/api_server.py): no speed parameter, streams only WAV. */
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
    rawRateOf: () => 44_100,
    toRequest: ({ text, voice, emotion }) => ({
      url: `${url}/v1/tts`,
      headers,
      body: {
        text: `${markerOf(emotion)}${text}`,
        references: [{ audio: voice.wav, text: voice.text }],
        format: "wav",
        streaming: true,
        normalize: true,
        // Recordings can be deleted, so the server must not keep any.
        use_memory_cache: "off",
      },
    }),
  };
  return createHttpBackend(server);
}

function markerOf(emotion: SpeechRequest["emotion"]): string {
  const strongest = findStrongest(emotion);
  return strongest ? markers[strongest.name] : "";
}
