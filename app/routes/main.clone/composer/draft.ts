import { composerCopy } from "~/copy/clone";
import {
  chosenReference,
  type Reference,
  type ReferenceSource,
  type References,
  referenceFault,
} from "~/features/reference/reference";
import { plainTone, type SpeakingTone, toToneRequest } from "~/features/tone/tone";
import type { Allowance } from "~server/bff/accounts.server";
import type { CloneRecord } from "~server/bff/generations.server";
import type { Voice } from "~server/bff/roles.server";
import { charactersFree } from "~server/contract/limits";
import { countCharacters, lineKey } from "~server/contract/marks";

/** The content of the composer; plain data, saved across reloads. */
export interface Draft {
  content: string;
  from: "role" | "reference";
  voice: Voice | null;
  tone: SpeakingTone;
  source: ReferenceSource;
  record: Reference | null;
  upload: Reference | null;
  /** An earlier recording of which only the upstream path is known. */
  voicePath: string;
  /** The recording whose tone is followed. */
  toneSource: ReferenceSource;
  toneRecord: Reference | null;
  toneUpload: Reference | null;
  emotionPath: string;
}

export const emptyDraft: Draft = {
  content: "",
  from: "role",
  voice: null,
  tone: plainTone,
  source: "record",
  record: null,
  upload: null,
  voicePath: "",
  toneSource: "record",
  toneRecord: null,
  toneUpload: null,
  emotionPath: "",
};

/** The fields that hold recordings. */
export const soundFields = ["record", "upload", "toneRecord", "toneUpload"] as const;

export const voiceReferences = ({ source, record, upload }: Draft): References => ({ source, record, upload });
export const toneReferences = ({ toneSource, toneRecord, toneUpload }: Draft): References => ({
  source: toneSource,
  record: toneRecord,
  upload: toneUpload,
});

/** Applies a change of the voice's recording; a new one replaces `voicePath`. */
export const voiceChange = (change: Partial<References>): Partial<Draft> => ({
  ...change,
  ...((change.record !== undefined || change.upload !== undefined) && { voicePath: "" }),
});

/** Applies a change of the tone's recording; a new one replaces `emotionPath`. */
export const toneChange = ({ source, record, upload }: Partial<References>): Partial<Draft> => ({
  ...(source && { toneSource: source }),
  ...(record !== undefined && { toneRecord: record, emotionPath: "" }),
  ...(upload !== undefined && { toneUpload: upload, emotionPath: "" }),
});

/** The draft without the upstream paths of its recordings in use: the next submit uploads them again. */
export function withoutUploads(draft: Draft): Partial<Draft> {
  const forget = (reference: Reference | null) => reference && { ...reference, voicePath: undefined };
  const { record, upload, toneRecord, toneUpload } = draft;
  return {
    ...(draft.from === "reference" && { record: forget(record), upload: forget(upload), voicePath: "" }),
    ...(draft.tone.genre === 1 && { toneRecord: forget(toneRecord), toneUpload: forget(toneUpload), emotionPath: "" }),
  };
}

export type Problem = { where: "voice" | "text" | "tone"; sentence: string };

/** Characters per generation. */
export const limitOf = (allowance: Allowance | null) => allowance?.limit || charactersFree;

/** The first missing part of a generation, checked voice first; null if it can start. */
export function findProblem(draft: Draft, allowance: Allowance | null): Problem | null {
  const voice = voiceProblem(draft);
  if (voice) return { where: "voice", sentence: voice };
  const used = countCharacters(draft.content);
  const limit = limitOf(allowance);
  if (used === 0) return { where: "text", sentence: composerCopy.text.empty };
  if (used > limit) return { where: "text", sentence: composerCopy.text.over(used - limit, limit) };
  const tone = draft.tone.genre === 1 && !draft.emotionPath ? referenceFault(toneReferences(draft)) : null;
  return tone ? { where: "tone", sentence: tone } : null;
}

function voiceProblem(draft: Draft): string | null {
  if (draft.from === "role") return draft.voice ? null : composerCopy.voice.missing;
  return draft.voicePath ? null : referenceFault(voiceReferences(draft));
}

/** The newest record with the draft's text, voice and tone that runs or is done; null while a recording has no upload. */
export function findEqual(draft: Draft, records: readonly CloneRecord[]): CloneRecord | null {
  const recording = draft.voicePath || chosenReference(voiceReferences(draft))?.voicePath;
  const voice = draft.from === "role" ? draft.voice?.roleId : recording;
  const emotionPath = draft.emotionPath || chosenReference(toneReferences(draft))?.voicePath;
  if (!voice || countCharacters(draft.content) === 0 || (draft.tone.genre === 1 && !emotionPath)) return null;
  const wanted = lineKey({ content: draft.content, roleId: voice, ...toToneRequest(draft.tone, emotionPath) });
  const isEqual = (record: CloneRecord) => lineKey({ ...record, roleId: record.roleId || record.voicePath }) === wanted;
  const isKept = ({ status, voiceUrl }: CloneRecord) => status === 1 || (status === 2 && voiceUrl !== "");
  return records.find((record) => isKept(record) && isEqual(record)) ?? null;
}
