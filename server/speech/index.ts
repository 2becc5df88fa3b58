/** What the rest of the server uses of speech, beside the port in `engine.ts`. Nothing else of this folder is public. */
export type { HeardFile, HeardPrint, MeasureProof, ProofMeasures, SoundPrint } from "./analysis";
export { createEmbeddedEngine, type EmbeddedEngine } from "./engines/embedded/engine";
export { createFallback, type FallbackEngine } from "./engines/fallback";
export { examineDashScope, examineMiniMax, type VendorAccount } from "./engines/hosted/accounts";
export { createDashScopeBackend } from "./engines/hosted/dashscope";
export { createMiniMaxBackend } from "./engines/hosted/minimax";
export { createQwenBackend, isQwenModel } from "./engines/hosted/qwen";
export { type VoiceDesigns, voiceDesigns } from "./engines/kokoro/designs";
export { createKokoroEngine } from "./engines/kokoro/engine";
export { kokoroVersion } from "./engines/kokoro/voice";
export type { Backend } from "./engines/remote/backend";
export { createCosyVoiceBackend } from "./engines/remote/cosyvoice";
export { createFishSpeechBackend } from "./engines/remote/fish-speech";
export { createGptSoVitsBackend } from "./engines/remote/gpt-sovits";
export { createOpenAiBackend } from "./engines/remote/openai";
export { createRemoteEngine, type RemoteParts } from "./engines/remote/remote-engine";
export { createSherpaBackend } from "./engines/sherpa/engine";
export { createListener } from "./engines/sherpa/listener";
export { findModel, measuredFile } from "./engines/sherpa/models";
export { withTimeline } from "./engines/timeline";
export { type Likeness, type LikenessRequest, measureLikeness } from "./likeness";
export {
  type Arrival,
  readArrival,
  readAsked,
  readDeclined,
  reportArrival,
  setAsked,
  setDeclined,
} from "./models/arrival";
export { isInstalled, type ModelStore } from "./models/install";
export { takeLock } from "./models/lock";
export { modelSets, sizeOf } from "./models/manifest";
export { createVoiceprints } from "./proof/speaker";
export type { MonoSound, Recogniser } from "./recogniser";
export { type BookRequest, convertSound } from "./recording/conversion";
export type { SpeakerVerifier } from "./speaker-verifier";
export { checkSpeech } from "./speech-check";
export { createSpeechThreads } from "./threads/threads";
export { type Transcription, transcribePhrases } from "./transcription";
