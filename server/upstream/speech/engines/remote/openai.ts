import { toEmotionInstruction } from "./emotion-instruction";
import { createHttpBackend, type HttpServer } from "./http-backend";
import type { Backend } from "./remote-engine";

export interface OpenAiSettings {
  url: string;
  apiKey: string | undefined;
  model: string;
  /** Named beside the recording, for servers that insist on a voice. */
  voice: string | undefined;
  /** Hz of the model: raw samples are streamed then, which do not tell it; 0 waits for whole WAVs. */
  streamRate: number;
}

/**
 * Any `/v1/audio/speech` that learns from `ref_audio` and `ref_text`: vLLM-Omni with Qwen3-TTS (Base), CosyVoice3, Fish S2,
 * VoxCPM2. A WAV tells the model's own rate and comes when it is whole; streams are raw samples.
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
    rateOf: () => streamRate,
    ask({ text, voice: shown, speed, emotion }) {
      const instructions = toEmotionInstruction(emotion);
      // Streams know no speed.
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
          ref_audio: `data:audio/wav;base64,${shown.wav}`,
          ...(shown.text ? { ref_text: shown.text } : { x_vector_only_mode: true }),
          ...(voice && { voice }),
          ...(instructions && { instructions }),
        },
      };
    },
  };
  return createHttpBackend(server);
}
