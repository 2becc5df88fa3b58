import type { Metric } from "../../embedded-upstream";
import type { SpeechSettings } from "../../settings/speech";
import type { EngineSettings } from "../../settings/speech-engines";
import {
  checkSpeech,
  createEmbeddedEngine,
  createListener,
  createSpeechThreads,
  createVoiceprints,
  type EmbeddedEngine,
  examineDashScope,
  examineMiniMax,
  findModel,
  measureLikeness,
  transcribePhrases,
  type VendorAccount,
  voiceDesigns,
} from "../../speech/index";
import type { SpeechParts } from "../voices/ports";
import { createSpeakers, type SpeechHooks } from "./speakers";

export interface Speech extends SpeechParts {
  /** The engines that speak now; changes while the product runs when a model is installed or removed. */
  speakers(): string;
  /** Availability of each engine; empty if only the embedded one is configured. */
  measure(): Metric[];
  close(): Promise<void>;
}

/** Hz. Several engines share one rate so that their lines can be mixed. */
const commonRate = 24_000;
const embeddedOnly: SpeechSettings = { engines: [{ name: "embedded" }], styles: {} };

/**
 * Builds the engines of the settings. The embedded engine's processes decode files for every engine; text, mastering,
 * encoding and fingerprints run in threads. Both start at their first use.
 */
export function createSpeech(settings: SpeechSettings = embeddedOnly, { withMetrics, onChange }: SpeechHooks): Speech {
  const isEmbeddedOnly = settings.engines.every(({ name }) => name === "embedded");
  const threads = createSpeechThreads();
  const listener = createListener(settings.listening ?? {});
  const { recogniser, speakerVerifier } = listener;
  let pool: Promise<EmbeddedEngine> | undefined;
  const embedded = () => {
    pool ??= createEmbeddedEngine();
    return pool;
  };
  const engines = createSpeakers(settings, {
    embedded,
    withMetrics,
    onChange,
    prepareText: threads.prepareText,
    recogniser,
  });

  return {
    engine: engines.engine,
    speakers: engines.speakers,
    inspect: async (bytes, signal) => (await embedded()).inspect(bytes, signal),
    denoise: async (bytes, signal) => (await embedded()).denoise(bytes, signal),
    voiceprints: createVoiceprints(async (sound, signal) => (await embedded()).describeVoice(sound, signal)),
    encode: threads.encode,
    encodeFile: threads.encodeFile,
    mixMusic: threads.mixMusic,
    readMusic: async (bytes, signal) => (await embedded()).readMusic(bytes, signal),
    printFile: threads.printFile,
    print: async (sound, signal) =>
      sound instanceof Uint8Array ? (await embedded()).print(sound, signal) : threads.print(sound, signal),
    hear: async (bytes, signal) => (await embedded()).hear(bytes, signal),
    hearAltered: async (excerpt, signal) => (await embedded()).hearAltered(excerpt, signal),
    measureProof: async (request, signal) => (await embedded()).measureProof(request, signal),
    ...(recogniser && {
      recogniser,
      transcribe: async (bytes, signal) =>
        transcribePhrases(recogniser, await (await embedded()).findPhrases(bytes, signal), signal),
      ...(settings.isChecked !== false && {
        checkSpeech: (chunks, text, signal) =>
          checkSpeech({ recogniser, prepareText: threads.prepareText }, { chunks, text, signal }),
      }),
    }),
    ...(speakerVerifier && {
      speakerVerifier,
      measureLikeness: (request) => measureLikeness(speakerVerifier, request),
    }),
    designs: voiceDesigns,
    prepareText: threads.prepareText,
    examineTexts: threads.examineTexts,
    splitSegments: threads.splitSegments,
    findPolyphones: threads.findPolyphones,
    master: (chunks, options) =>
      threads.master(chunks, isEmbeddedOnly ? options : { ...options, sampleRate: commonRate }),
    measure: engines.measure,
    async close() {
      listener.close();
      await threads.close();
      await engines.close();
      await (await pool)?.close();
    },
  };
}

const abroad = /-intl\b|\.ap-southeast|minimax\.io/;

/** The companies that recordings are sent to, and whether abroad: "dashscope", "minimax-abroad". */
export const vendorsOf = (engines: readonly EngineSettings[]): string[] =>
  engines.flatMap((engine) =>
    engine.name === "dashscope" || engine.name === "minimax"
      ? [abroad.test(engine.url) ? `${engine.name}-abroad` : engine.name]
      : [],
  );

/** Why the folders of models do not speak. */
export const faultsOfModels = (engines: readonly EngineSettings[]): string[] =>
  engines.flatMap((engine) => {
    const found = engine.name === "sherpa" ? findModel(engine.folder) : null;
    return found && "fault" in found ? [found.fault] : [];
  });

/** The vendors' accounts of the configured keys. */
export const examineVendors = (engines: readonly EngineSettings[], signal: AbortSignal): Promise<VendorAccount[]> =>
  Promise.all(
    engines.flatMap((engine) => {
      if (engine.name === "dashscope") return [examineDashScope(engine, signal)];
      return engine.name === "minimax" ? [examineMiniMax(engine, signal)] : [];
    }),
  );
