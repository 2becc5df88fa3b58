import { useEffect, useRef, useState } from "react";
import { bffPaths, createIdempotentCall, type Refusal, refusalOf } from "~/call";
import { useDraft } from "~/features/draft/draft";
import { chosenReference, type Reference, type References, uploadReference } from "~/features/reference/reference";
import { toToneRequest } from "~/features/tone/tone";
import { useCapabilities } from "~/state/capabilities";
import type { PendingAction } from "~/state/dialog-requests";
import type { Allowance } from "~server/bff/accounts.server";
import type { CloneRecord } from "~server/bff/generations.server";
import type { CallRequest } from "~server/contract/calls/table";
import { cloningStatementFor } from "~server/contract/consent";
import {
  type Draft,
  emptyDraft,
  findProblem,
  type Problem,
  soundFields,
  toneChange,
  toneReferences,
  voiceChange,
  voiceReferences,
  withoutUploads,
} from "./draft";

type CloneRequest = Pick<CallRequest<"cloneCreate">, "content"> & Partial<CallRequest<"cloneCreate">>;

/** `record` is null if the upstream neither returns nor lists it yet. */
const createClone = createIdempotentCall<CloneRequest, { record: CloneRecord | null }>(bffPaths.clones);

interface ComposerOptions {
  allowance: Allowance | null;
  /** null if the new record is not in the list yet; resolves when the list was read. */
  onStarted(record: CloneRecord | null): Promise<void> | void;
  /** Login or payment is needed; the composer shows nothing for a login. */
  onRefused(refusal: Refusal, action: PendingAction): void;
  /** An upload failed; the composer shows it too. */
  onUploadFailed(refusal: Refusal): void;
}

/** The composer's draft and its submission: uploads the recordings, then starts the generation. */
export function useComposer(options: ComposerOptions) {
  const { draft, change, isRestored } = useDraft<Draft>("clone-composer", emptyDraft, soundFields);
  const isBusy = useRef(false);
  const [phase, setPhase] = useState<"idle" | "uploading" | "starting">("idle");
  const [problem, setProblem] = useState<Problem | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const hasVendors = useCapabilities().vendors.length > 0;
  const left = options.allowance?.left;
  useEffect(() => {
    if (left) setRefusal((now) => (now?.code === "entitlement" ? null : now));
  }, [left]);

  /** Uploads the chosen reference and stores its `voicePath` in the draft. */
  const upload = async (references: References, store: (change: Partial<References>) => void) => {
    const reference = chosenReference(references);
    if (!reference) return null;
    setPhase("uploading");
    const voicePath = await uploadReference(reference).catch((error: unknown) => {
      options.onUploadFailed(refusalOf(error));
      throw error;
    });
    const uploaded: Reference = { ...reference, voicePath };
    if (!reference.voicePath) store({ [references.source]: uploaded });
    return uploaded;
  };

  const createRequest = async (): Promise<CloneRequest> => {
    const isReference = draft.from === "reference";
    const voice =
      isReference && !draft.voicePath
        ? await upload(voiceReferences(draft), (next) => change(voiceChange(next)))
        : null;
    const needsTone = draft.tone.genre === 1 && !draft.emotionPath;
    const tone = needsTone ? await upload(toneReferences(draft), (next) => change(toneChange(next))) : null;
    return {
      content: draft.content.trim(),
      ...(isReference
        ? {
            voicePath: voice?.voicePath ?? draft.voicePath,
            transcript: voice?.transcript,
            consent: { statementId: cloningStatementFor(hasVendors) },
          }
        : { roleId: draft.voice?.roleId }),
      ...toToneRequest(draft.tone, tone?.voicePath ?? draft.emotionPath),
    };
  };

  /** `isAgain`: charged although an equal record exists. */
  const submit = async ({ isAgain = false } = {}) => {
    if (isBusy.current) return;
    const found = findProblem(draft, options.allowance);
    setProblem(found);
    setRefusal(null);
    if (found) return;
    isBusy.current = true;
    setPhase("starting");
    try {
      const request = await createRequest();
      setPhase("starting");
      await options.onStarted((await createClone({ ...request, ...(isAgain && { reuse: false }) })).record);
    } catch (error) {
      const refused = refusalOf(error);
      const isExpired = refused.code === "login-expired";
      if (isExpired || refused.code === "entitlement") options.onRefused(refused, isAgain ? "clone-again" : "to-clone");
      if (!isExpired) setRefusal(refused);
      if (refused.code === "voice-missing") change(withoutUploads(draft));
    } finally {
      isBusy.current = false;
      setPhase("idle");
    }
  };

  const edit = (next: Partial<Draft>) => {
    setProblem(null);
    change(next);
  };
  return { draft, change: edit, isRestored, phase, problem, refusal, submit };
}
