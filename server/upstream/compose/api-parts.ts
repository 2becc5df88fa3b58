import type { Logger } from "pino";
import { speakingEngine, speaksDesigns } from "~server/settings/installed";
import type { ApiParts } from "../api/parts";
import { subtitleFormats } from "../generations/dubs/subtitles/formats";
import type { SpeechParts } from "../voices/ports";
import { createExactVoice } from "./exact-voice";
import type { UpstreamConfig, UpstreamParts } from "./parts";
import { vendorsOf } from "./speech";
import { createNaturalVoice } from "./wanted-voices";

interface ApiNeeds extends Pick<ApiParts, "temporaryPath" | "publicVersion" | "uploadMaxBytes" | "console"> {
  speech: SpeechParts;
  config: UpstreamConfig;
  log: Logger;
}

/** Dependencies of the API's routes. */
export function apiPartsOf(parts: UpstreamParts, { config, log, ...own }: ApiNeeds): ApiParts {
  const { money, voices, generations, proof } = parts;
  const engines = config.speech?.engines ?? [];
  return {
    ...{ ...voices, ...generations, ...proof, ...money, ...parts, ...own },
    appId: config.appId,
    engine: () => speakingEngine(engines),
    naturalVoice: createNaturalVoice(config),
    exactVoice: createExactVoice(config),
    speaksDesigns: speaksDesigns(engines),
    vendors: vendorsOf(engines),
    within: parts.queue.within,
    reportError: (error, request) => log.error({ err: error, request }, "a call failed unexpectedly"),
    writeSubtitles: (format, cues) => subtitleFormats[format].write(cues),
  };
}
