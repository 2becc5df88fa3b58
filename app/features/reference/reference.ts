import { toForm, uploadForm } from "~/call";
import { fileTips, recordingTips, referenceCopy, type TipAction } from "~/copy/recording";
import type { RecordingQuality } from "~server/contract/recording/quality";

/** A recording of a voice, ready to upload, with its assessment. Plain data that IndexedDB can store. */
export interface Reference {
  id: string;
  /** 16-bit mono WAV; the original file if this browser cannot decode it. */
  sound: Blob;
  /** File name for the upload. */
  name: string;
  /** null if this browser could not decode the recording. */
  quality: RecordingQuality | null;
  /** Waveform heights, 0–1. */
  heights: number[];
  seconds: number;
  /** The sentence that was read aloud. */
  transcript?: string | undefined;
  isTrimmed?: boolean;
  /** This is without noise; with noise it was this. */
  original?: Reference;
  /** Came from a file, not from the microphone. */
  isFile?: boolean;
  /** Path at the upstream after the upload. */
  voicePath?: string | undefined;
  /** The proof's prompt that was read: its first sentence is the consent. */
  promptId?: string | undefined;
}

export type ReferenceSource = "record" | "upload";

/** One reference per source, so that switching the source loses nothing. */
export interface References {
  source: ReferenceSource;
  record: Reference | null;
  upload: Reference | null;
}

export const noReferences: References = { source: "record", record: null, upload: null };

/** The reference of the selected source; null if there is none. */
export const chosenReference = (references: References) => references[references.source];

/** Sentence that says why the references cannot be used yet; null if they can. */
export function referenceFault(references: References): string | null {
  const reference = chosenReference(references);
  if (!reference) return referenceCopy.missing[references.source];
  return refusedSentence(reference);
}

/** The advice for a reference that the judge refused; null for any other. */
export function refusedSentence(reference: Reference): string | null {
  return reference.quality?.verdict === "refused" ? (adviceOf(reference)?.sentence ?? null) : null;
}

/** What the judge says first of a reference, in the words of its source; null without a finding. */
export function adviceOf({ quality, isFile }: Reference): { sentence: string; action: TipAction } | null {
  const tip = quality?.tips[0];
  return tip ? { ...recordingTips[tip], ...(isFile && fileTips[tip] && { sentence: fileTips[tip] }) } : null;
}

/** Uploads a reference unless it has a `voicePath`; returns its path at the upstream. Throws `Refused`. */
export async function uploadReference({ sound, name, voicePath }: Reference, signal?: AbortSignal): Promise<string> {
  if (voicePath) return voicePath;
  return (await uploadForm("recordingUpload", toForm(sound, name), signal)).voicePath;
}

/** Transcribes a sound, with the times of its sentences in seconds. Throws `Refused`. */
export const transcribeSound = (sound: Blob, name: string, signal?: AbortSignal) =>
  uploadForm("transcribe", toForm(sound, name), signal);
