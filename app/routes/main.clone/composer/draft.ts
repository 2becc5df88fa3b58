import type { Reference } from "~/features/reference/reference";
import type { References } from "~/features/reference/reference-panel";
import { plainTone, type Tone } from "~/features/tone/tone";
import type { Voice } from "~/features/voice-picker/voice";

type Source = References["source"];

/** What stands in the composer; plain data that outlives a reload. */
export interface Draft {
  content: string;
  from: "role" | "reference";
  voice: Voice | null;
  tone: Tone;
  source: Source;
  record: Reference | null;
  upload: Reference | null;
  /** A recording used before that only the upstream has now. */
  voicePath: string;
  /** The recording whose tone is followed. */
  toneSource: Source;
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

export const sounds = ["record", "upload", "toneRecord", "toneUpload"] as const;

export const voiceReferences = ({ source, record, upload }: Draft): References => ({ source, record, upload });
export const toneReferences = ({ toneSource, toneRecord, toneUpload }: Draft): References => ({
  source: toneSource,
  record: toneRecord,
  upload: toneUpload,
});

/** A change of the tone's recording, as the draft keeps it. */
export function toneChange({ source, record, upload }: Partial<References>): Partial<Draft> {
  return {
    ...(source && { toneSource: source }),
    ...(record !== undefined && { toneRecord: record, emotionPath: "" }),
    ...(upload !== undefined && { toneUpload: upload, emotionPath: "" }),
  };
}

/** A change of the voice's recording; a new one replaces the one used before. */
export const voiceChange = (change: Partial<References>): Partial<Draft> => ({
  ...change,
  ...((change.record !== undefined || change.upload !== undefined) && { voicePath: "" }),
});
