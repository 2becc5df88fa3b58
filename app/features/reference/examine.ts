import { assessRecording } from "~server/contract/recording/judge";
import { recordingLimits } from "~server/contract/recording/quality";
import { decodeFile, resample } from "./decode";
import type { Reference } from "./reference";
import { heights, secondsOf, type Take } from "./take";
import { bestPart } from "./trim";
import { asSent, encodeWav } from "./wav";

const strokes = 64;
/** What the upstream unpacks by itself when this browser cannot. */
const upstreamReads = /\.(wav|mp3|flac|ogg|oga|opus|webm)$/i;

interface Named {
  name: string;
  transcript?: string | undefined;
}

/** What the microphone heard, as a reference. */
export async function referenceOf(take: Take, named: Named): Promise<Reference> {
  return describe(await resample(take), named);
}

/** A file somebody chose, cut to its best minute where the upstream would refuse its length; null when neither this browser nor the upstream can read it. Throws TooLongToDecode. */
export async function referenceOfFile(file: File): Promise<Reference | null> {
  const take = await decodeFile(file);
  if (take) {
    const part = secondsOf(take) > recordingLimits.maxSeconds ? bestPart(take) : take;
    return { ...describe(part, { name: wavName(file.name) }), isTrimmed: part !== take };
  }
  if (!upstreamReads.test(file.name)) return null;
  return { id: newId(), sound: file, name: file.name, quality: null, heights: [], seconds: 0 };
}

/** The part of it in which most is said. */
export async function trimmed(reference: Reference): Promise<Reference> {
  const take = await decodeFile(reference.sound);
  if (!take) return reference;
  const part = bestPart(take);
  // Its words no longer match the sentence.
  return { ...describe(part, { name: reference.name }), isTrimmed: true };
}

/** Judged as the upstream will judge it: by the very samples that are sent. */
function describe(take: Take, { name, transcript }: Named): Reference {
  return {
    id: newId(),
    sound: encodeWav(take),
    name,
    quality: assessRecording(asSent(take)),
    heights: heights(take, strokes),
    seconds: secondsOf(take),
    transcript,
  };
}

const wavName = (name: string) => `${name.replace(/\.[^.]*$/, "")}.wav`;

/** randomUUID is missing on insecure pages, where uploading still works. */
const newId = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
