import { type HttpServer, overHttp } from "../remote/http-backend";
import { instructionOf } from "../remote/manner";
import type { Backend } from "../remote/remote-engine";

export interface OpenAiSettings {
  url: string;
  apiKey: string | undefined;
  model: string;
  /** Named beside the recording, for servers that insist on a voice. */
  voice: string | undefined;
}

/** Of raw samples, by the specification; servers that tell another rate tell it in a WAV. */
const pcmRate = 24_000;

/**
 * Any `/v1/audio/speech` that learns from `ref_audio` and `ref_text`: vLLM-Omni with Qwen3-TTS (Base), CosyVoice3, Fish S2,
 * VoxCPM2. Asks for streamed WAV, whose header tells the model's own rate.
 */
export function openAiServer({ url, apiKey, model, voice }: OpenAiSettings): Backend {
  const headers: Record<string, string> = apiKey ? { authorization: `Bearer ${apiKey}` } : {};
  const server: HttpServer = {
    id: "openai",
    version: `1:${model}`,
    maxChars: 4096,
    languages: ["zh", "en"],
    reference: { minSeconds: 2, maxSeconds: 15 },
    speeds: [0.25, 4],
    health: { url: `${url}/v1/models`, headers },
    rateOf: (reply) => Number(reply.header("x-sample-rate")) || pcmRate,
    ask({ text, voice: shown, speed, emotion }) {
      const instructions = instructionOf(emotion);
      return {
        url: `${url}/v1/audio/speech`,
        headers,
        body: {
          model,
          input: text,
          response_format: "wav",
          // Streams know no speed: servers refuse the two together.
          ...(speed === 1 ? { stream: true } : { speed }),
          task_type: "Base",
          ref_audio: `data:audio/wav;base64,${shown.wav}`,
          ...(shown.text ? { ref_text: shown.text } : { x_vector_only_mode: true }),
          ...(voice && { voice }),
          ...(instructions && { instructions }),
        },
      };
    },
  };
  return overHttp(server);
}
