import { SpeechError } from "../../engine";
import type { Backend } from "../remote/backend";
import { createDashScopeApi, type DashScopeSettings, dashScopeRate } from "./dashscope-api";
import { streamWithRetries, VendorError } from "./vendor-call";

const synthesizer = "/services/aigc/multimodal-generation/generation";

/** Whether a model of DashScope has Qwen's protocol of voices. */
export const isQwenModel = (model: string): boolean => model.startsWith("qwen");

/**
 * Backend for Qwen's cloned voices at DashScope: enrolment with a transcript that the vendor checks, streaming synthesis
 * and deletion as documented in "Qwen-TTS voice cloning" (help.aliyun.com, 2026). The protocol has no speed, emotion or
 * readings: speed is ours, and asked readings are written as homophones.
 */
export function createQwenBackend(settings: DashScopeSettings): Backend {
  const api = createDashScopeApi(settings);
  const { model } = settings;
  const create = async (name: string, reference: { wav: string; text: string }, signal: AbortSignal) => {
    const { wav, text } = reference;
    const input = {
      action: "create",
      target_model: model,
      preferred_name: name,
      audio: { data: `data:audio/wav;base64,${wav}` },
      language: "zh",
      ...(text && { text }),
    };
    const { voice } = await api.change("qwen-voice-enrollment", input, signal);
    if (!voice) throw new SpeechError("engine", "no voice in the answer");
    return voice;
  };
  return {
    id: "dashscope",
    version: `1:${model}`,
    // The vendor's limit is not stated; 600 is reported of preset voices, and segments are shorter.
    maxChars: 1500,
    languages: ["zh", "en"],
    reference: { minSeconds: 3, maxSeconds: 30, sampleRate: dashScopeRate },
    speeds: null,
    createVoice: (reference, name, signal) =>
      create(name, reference, signal).catch((error: unknown) => {
        // A transcript that does not match is refused like a bad recording.
        const isTextRefused = error instanceof VendorError && error.code === "Audio.PreprocessError";
        if (!isTextRefused || !reference.text) throw error;
        return create(name, { ...reference, text: "" }, signal);
      }),
    deleteVoice: api.deleteVoice,
    say({ text, voice }, signal) {
      const input = { text, voice: voice.voiceId, language_type: "Chinese" };
      return streamWithRetries(() => api.speak(synthesizer, input, signal), signal);
    },
    probe() {
      const input = { action: "list", page_index: 0, page_size: 1 };
      return api.change("qwen-voice-enrollment", input, AbortSignal.timeout(3000)).then(
        () => true,
        () => false,
      );
    },
  };
}
