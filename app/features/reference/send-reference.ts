import { bffPaths } from "~/bff-paths";
import { type UploadedRecording } from "~server/contract/calls/files";
import type { ErrorCode } from "~server/contract/codes";
import type { Reference } from "./reference";

interface Refusal {
  code: ErrorCode;
  message?: string;
}

/** Where the upstream keeps it, and what it says; or why it could not go there. */
export type SentReference =
  | { ok: true; voicePath: string; transcript: string | undefined }
  | { ok: false; refusal: Refusal };

/** Takes a recording to the upstream, once: remember `voicePath` in the reference. Rejects only when aborted. */
export async function sendReference(reference: Reference, signal?: AbortSignal): Promise<SentReference> {
  const { sound, name, transcript, voicePath } = reference;
  if (voicePath) return { ok: true, voicePath, transcript };
  const body = new FormData();
  body.append("file", sound, name);
  const response = await fetch(bffPaths.recordings, { method: "POST", body, ...(signal && { signal }) }).catch(
    (cause) => {
      if (signal?.aborted) throw cause;
      return null;
    },
  );
  if (!response) return { ok: false, refusal: { code: "network" } };
  const answer = (await response.json().catch(() => null)) as {
    recording?: UploadedRecording;
    refusal?: Refusal;
  } | null;
  if (response.ok && answer?.recording) return { ok: true, voicePath: answer.recording.voicePath, transcript };
  return { ok: false, refusal: answer?.refusal ?? { code: response.status === 413 ? "too-large" : "request-failed" } };
}
