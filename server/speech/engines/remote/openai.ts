import { toEmotionInstruction } from "../delivery";
import type { Backend } from "./backend";
import { createHttpBackend, type HttpServer } from "./http-backend";

export interface OpenAiSettings {
  url: string;
  apiKey: string | undefined;
  model: string;
  /** Voice name, for servers that require one. */
  voice: string | undefined;
  /** Sample rate in Hz for streaming raw samples; 0 requests whole WAV files. */
  streamRate: number;
}

/**
 * Backend for `/v1/audio/speech` with `ref_audio` and `ref_text`: vLLM-Omni with Qwen3-TTS (Base), CosyVoice3, Fish S2,
 * VoxCPM2. Streams raw samples, or waits for a WAV with its own rate.
 */
export function createOpenAiBackend({ url, apiKey, model, voice, streamRate }: OpenAiSettings): Backend {
  const headers: Record<string, string> = apiKey ? { authorization: `Bearer ${apiKey}` } : {};
  const server: HttpServer = {
    id: "openai",
    version: `1:${model}`,
    maxChars: 4096,
    languages: ["zh", "en"],
    reference: { minSeconds: 2, maxSeconds: 15 },
    speeds: [0.25, 4],
    health: { url: `${url}/v1/models`, headers },
    rawRateOf: () => streamRate,
    toRequest({ text, voice: reference, speed, emotion }) {
      const instructions = toEmotionInstruction(emotion);
      // Streaming does not support speed.
      const isStreamed = streamRate > 0 && speed === 1;
      return {
        url: `${url}/v1/audio/speech`,
        headers,
        body: {
          model,
          input: text,
          ...(isStreamed
            ? { response_format: "pcm", stream: true, stream_format: "audio" }
            : { response_format: "wav", speed }),
          task_type: "Base",
          ref_audio: `data:audio/wav;base64,${reference.wav}`,
          ...(reference.text ? { ref_text: reference.text } : { x_vector_only_mode: true }),
          ...(voice && { voice }),
          ...(instructions && { instructions }),
        },
      };
    },
  };
  return createHttpBackend(server);
}
