import { FormData } from "undici";
import { toEmotionInstruction } from "./emotion-instruction";
import { createHttpBackend, type HttpServer } from "./http-backend";
import type { Backend } from "./remote-engine";

export interface CosyVoiceSettings {
  url: string;
  /** Which generation the server has loaded: they want instructions written differently. */
  generation: 1 | 2 | 3;
}

const endOfPrompt = "<|endofprompt|>";
const assistant = "You are a helpful assistant.";
const rates = { 1: 22_050, 2: 24_000, 3: 24_000 } as const;

/**
 * The FastAPI server of the project itself (runtime/python/fastapi/server.py): forms in, raw samples without a header out.
 * It knows no speed; emotions are instructions, which its first generation has none of.
 */
export function createCosyVoiceBackend({ url, generation }: CosyVoiceSettings): Backend {
  const server: HttpServer = {
    id: "cosyvoice",
    version: `1:${generation}`,
    maxChars: 2000,
    languages: ["zh", "en"],
    reference: { minSeconds: 1, maxSeconds: 29 },
    speeds: null,
    health: { url: `${url}/openapi.json` },
    rateOf: (reply) => Number(reply.header("x-custom-header-samplerate")) || rates[generation],
    ask({ text, voice, emotion }) {
      const instruction = generation === 1 ? undefined : toEmotionInstruction(emotion);
      const { mode, fields } = modeOf({ text: voice.text, instruction, generation });
      const form = new FormData();
      form.set("tts_text", mode === "cross_lingual" && generation === 3 ? `${assistant}${endOfPrompt}${text}` : text);
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      form.set("prompt_wav", new Blob([Buffer.from(voice.wav, "base64")], { type: "audio/wav" }), "prompt.wav");
      return { url: `${url}/inference_${mode}`, body: form };
    },
  };
  return createHttpBackend(server);
}

interface Manner {
  /** What the recording says, "" where nobody knows. */
  text: string;
  instruction: string | undefined;
  generation: CosyVoiceSettings["generation"];
}

function modeOf({ text, instruction, generation }: Manner): { mode: string; fields: Record<string, string> } {
  const before = generation === 3 ? assistant : "";
  if (instruction) return { mode: "instruct2", fields: { instruct_text: `${before}${instruction}${endOfPrompt}` } };
  if (!text) return { mode: "cross_lingual", fields: {} };
  return { mode: "zero_shot", fields: { prompt_text: generation === 3 ? `${before}${endOfPrompt}${text}` : text } };
}
