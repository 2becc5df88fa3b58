import type { Logger } from "pino";
import type { CallData, CallRequest } from "~server/contract/calls/table";
import { speakingEngine, speaksDesigns } from "~server/settings/installed";
import type { ApiParts } from "../api/app";
import { AppError } from "../errors";
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
export function apiPartsOf(parts: UpstreamParts, { speech, config, log, ...own }: ApiNeeds): ApiParts {
  const { money, voices, generations, proof } = parts;
  return {
    appId: config.appId,
    engine: () => speakingEngine(config.speech?.engines ?? []),
    naturalVoice: createNaturalVoice(config),
    exactVoice: createExactVoice(config),
    speaksDesigns: speaksDesigns(config.speech?.engines ?? []),
    vendors: vendorsOf(config.speech?.engines ?? []),
    within: parts.queue.within,
    temporaryPath: own.temporaryPath,
    uploadMaxBytes: own.uploadMaxBytes,
    console: own.console,
    reportError: (error, request) => log.error({ err: error, request }, "a call failed unexpectedly"),
    hitRate: parts.hitRate,
    publicVersion: own.publicVersion,
    accounts: parts.accounts,
    apiKeys: parts.apiKeys,
    webhooks: parts.webhooks,
    billing: money.billing,
    cashier: money.cashier,
    users: parts.users,
    exportAccount: parts.exportAccount,
    readStorage: parts.readStorage,
    markAgreements: parts.markAgreements,
    messages: parts.messages,
    projects: parts.projects,
    recordings: voices.recordings,
    renditions: voices.renditions,
    conversions: parts.conversions,
    addMusic: parts.addMusic,
    portraits: parts.portraits,
    square: parts.square,
    files: parts.files,
    verify: parts.verify,
    proofs: proof.proofs,
    consentLinks: proof.consentLinks,
    listDesigns: (query) => listDesigns(speech.designs, query),
    findPolyphones: speech.findPolyphones,
    transcribe: speech.transcribe,
    writeSubtitles: (format, cues) => subtitleFormats[format].write(cues),
    exportDub: parts.exportDub,
    clones: generations.clones,
    followSpeech: parts.followSpeech,
    usableRoles: voices.usableRoles,
    dubs: generations.dubs,
    trials: generations.trials,
    videos: generations.videos,
    videoTemplates: generations.videoTemplates,
    listWorks: generations.listWorks,
    roles: generations.roles,
    revocations: generations.revocations,
    reports: generations.reports,
    shares: generations.shares,
    events: generations.events,
    actions: generations.actions,
    allowanceOf: generations.allowanceOf,
    dictionary: generations.dictionary,
    samples: generations.samples,
  };
}

/** Designed voices for a description in words, the nearest first. Throws voice-of-person where it names a person. */
function listDesigns(
  designs: SpeechParts["designs"],
  { words, page, pageSize }: CallRequest<"voiceDesigns">,
): CallData<"voiceDesigns"> {
  const { voices, unread, asksForPerson } = designs.search(words);
  if (asksForPerson) throw new AppError("voice-of-person", "the description names a person");
  const shown = voices.slice((page - 1) * pageSize, page * pageSize);
  const list = shown.map(({ id, gender, pitchHz, tempo }) => ({ designId: id, gender, pitchHz, tempo }));
  return { list, total: voices.length, unread };
}
