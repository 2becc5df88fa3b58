import { listReadings } from "../../chinese/readings/lexicon";
import { SpeechError } from "../../engine";
import { toEmotionInstruction } from "../delivery";
import type { Backend, RemoteSpeech } from "../remote/backend";
import { type WriteUnit, writeAsWritten } from "../remote/runs";
import type { PcmSound } from "../remote/samples";
import {
  createDashScopeApi,
  type DashScopeSettings,
  dashScopeRate,
  unacceptedInput,
  waitUntilReady,
} from "./dashscope-api";
import { streamWithRetries, VendorError } from "./vendor-call";

const synthesizer = "/services/audio/tts/SpeechSynthesizer";

/**
 * Backend for CosyVoice voices at Alibaba Cloud's DashScope: enrolment, streaming synthesis and deletion as documented in
 * "CosyVoice voice cloning" and "CosyVoice TTS HTTP API" (help.aliyun.com, 2026). The vendor's audible and hidden labels
 * stay off, because every sound gets ours.
 */
export function createDashScopeBackend(settings: DashScopeSettings): Backend {
  const api = createDashScopeApi(settings);
  const { model } = settings;
  return {
    id: "dashscope",
    version: `1:${model}`,
    // Limit of the markup; the vendor counts its characters without the elements.
    maxChars: 20_000,
    languages: ["zh", "en"],
    reference: { minSeconds: 5, maxSeconds: 20, sampleRate: dashScopeRate },
    speeds: [0.5, 2],
    write: writeMarkup,
    async createVoice({ wav }, name, signal) {
      const { voice_id: voiceId } = await api.change(
        "voice-enrollment",
        {
          action: "create_voice",
          target_model: model,
          prefix: name,
          url: `data:audio/wav;base64,${wav}`,
          language_hints: ["zh"],
          max_prompt_audio_length: 20,
        },
        signal,
      );
      if (!voiceId) throw new SpeechError("engine", "no voice_id in the answer");
      await waitUntilReady(api, voiceId, signal);
      return voiceId;
    },
    deleteVoice: api.deleteVoice,
    async *say(speech, signal) {
      yield* firstThatStarts(variantsOf(speech), (input) => api.speak(synthesizer, input, signal), signal);
    },
    async probe() {
      const signal = AbortSignal.timeout(3000);
      const input = { action: "list_voice", page_index: 0, page_size: 1 };
      return api.change("voice-enrollment", input, signal).then(
        () => true,
        () => false,
      );
    },
  };
}

/** The request, then without what a model may not accept: the emotion, the markup of readings. */
function variantsOf({ text, voice, speed, emotion }: RemoteSpeech): object[] {
  const instruction = toEmotionInstruction(emotion);
  const plain = toPlainMarkup(text);
  const input = {
    voice: voice.voiceId,
    format: "pcm",
    sample_rate: dashScopeRate,
    rate: speed,
    language_hints: ["zh"],
  };
  const marked = text.includes("<phoneme ")
    ? { ...input, text: `<speak>${text}</speak>`, enable_ssml: true }
    : { ...input, text: plain };
  return [
    ...(instruction ? [{ ...marked, instruction }] : []),
    marked,
    ...("enable_ssml" in marked ? [{ ...input, text: plain }] : []),
  ];
}

/** The first variant that is accepted. A rejection comes before the first sound. */
async function* firstThatStarts(
  variants: object[],
  synthesize: (input: object) => AsyncGenerator<PcmSound>,
  signal: AbortSignal,
): AsyncGenerator<PcmSound> {
  for (const [i, input] of variants.entries()) {
    try {
      yield* streamWithRetries(() => synthesize(input), signal);
      return;
    } catch (error) {
      const isRejected = error instanceof VendorError && error.code === unacceptedInput;
      if (!isRejected || i === variants.length - 1) throw error;
    }
  }
}

const single = /^\p{Script=Han}$/u;
const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };
const escapeXml = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character] ?? "");

/**
 * SSML for a unit: a character with several readings carries the one that our front end chose, with its spoken tone
 * (`<phoneme alphabet="py" ph="xing2">`); everything else is text. The spelling of ü is not documented: `v`.
 */
const writeMarkup: WriteUnit = (unit, previous) => {
  const text = writeAsWritten(unit, previous);
  const isMarked = unit.kind === "syllable" && unit.pinyin && single.test(text) && listReadings(text).length > 1;
  return isMarked ? `<phoneme alphabet="py" ph="${unit.pinyin}">${text}</phoneme>` : escapeXml(text);
};

/** The text of SSML without its elements. */
const toPlainMarkup = (markup: string): string =>
  Object.entries(escapes).reduceRight(
    (text, [character, reference]) => text.replaceAll(reference, character),
    markup.replace(/<[^>]+>/g, ""),
  );
