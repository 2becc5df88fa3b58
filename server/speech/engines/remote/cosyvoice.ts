import { FormData } from "undici";
import { toEmotionInstruction } from "../delivery";
import type { Backend } from "./backend";
import { createHttpBackend, type HttpServer } from "./http-backend";

export interface CosyVoiceSettings {
  url: string;
  /** Model generation; instruction formats differ. */
  generation: 1 | 2 | 3;
}

const endOfPrompt = "<|endofprompt|>";
const assistant = "You are a helpful assistant.";
const rates = { 1: 22_050, 2: 24_000, 3: 24_000 } as const;

/**
 * Backend for CosyVoice's FastAPI server (runtime/python/fastapi/server.py): takes forms, returns raw samples. It has no
 * speed parameter; generation 1 takes no instructions.
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
    rawRateOf: (reply) => Number(reply.header("x-custom-header-samplerate")) || rates[generation],
    toRequest({ text, voice, emotion }) {
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

interface Prompt {
  /** Transcript of the recording, "" if unknown. */
  text: string;
  instruction: string | undefined;
  generation: CosyVoiceSettings["generation"];
}

function modeOf({ text, instruction, generation }: Prompt): { mode: string; fields: Record<string, string> } {
  const before = generation === 3 ? assistant : "";
  if (instruction) return { mode: "instruct2", fields: { instruct_text: `${before}${instruction}${endOfPrompt}` } };
  if (!text) return { mode: "cross_lingual", fields: {} };
  return { mode: "zero_shot", fields: { prompt_text: generation === 3 ? `${before}${endOfPrompt}${text}` : text } };
}
