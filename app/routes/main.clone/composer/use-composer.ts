import { useEffect, useRef, useState } from "react";
import { useDraft } from "~/features/draft/use-draft";
import type { Reference } from "~/features/reference/reference";
import { chosenReference, type References } from "~/features/reference/reference-panel";
import { sendReference } from "~/features/reference/send-reference";
import { toneRequest } from "~/features/tone/tone";
import { createWishKey } from "~/wish-key";
import type { Allowance } from "~server/bff/accounts.server";
import type { CloneRecord } from "~server/bff/generations.server";
import type { Refusal } from "~server/bff/refusal.server";
import { type CloneOrder, createClone } from "../clone-client";
import { type Draft, emptyDraft, sounds, toneChange, toneReferences, voiceChange, voiceReferences } from "./draft";
import { type Problem, problemOf } from "./readiness";

interface Options {
  allowance: Allowance | null;
  /** The new record, null where only reading the list will show it. */
  onStarted(record: CloneRecord | null): void;
  /** It needs an account, a new login, or something bought; nothing is said here about it. */
  onRefused(refusal: Refusal): void;
  /** A recording could not be sent; it is said beside the button too. */
  onNotSent(refusal: Refusal): void;
}

type Phase = "idle" | "sending" | "going";

/** What stands in the composer, and the way from the press of the button to a running clone. */
export function useComposer(options: Options) {
  const { draft, change, isRestored } = useDraft<Draft>("clone-composer", emptyDraft, sounds);
  const [phase, setPhase] = useState<Phase>("idle");
  const [problem, setProblem] = useState<Problem | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [wishes] = useState(() => createWishKey());
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);

  const sent = async (references: References, remember: (change: Partial<References>) => void) => {
    const reference = chosenReference(references);
    if (!reference) return null;
    setPhase("sending");
    const answer = await sendReference(reference);
    if (!answer.ok) {
      options.onNotSent(answer.refusal);
      throw new Refused(answer.refusal);
    }
    const known: Reference = { ...reference, voicePath: answer.voicePath };
    if (!reference.voicePath) remember({ [references.source]: known });
    return known;
  };

  /** Recordings go up first; their places are remembered for the next time. */
  const toOrder = async (): Promise<CloneOrder> => {
    const own = draft.from === "reference";
    const voice =
      own && !draft.voicePath ? await sent(voiceReferences(draft), (next) => change(voiceChange(next))) : null;
    const isFollowed = draft.tone.genre === 1 && !draft.emotionPath;
    const tone = isFollowed ? await sent(toneReferences(draft), (next) => change(toneChange(next))) : null;
    const voicePath = voice?.voicePath ?? draft.voicePath;
    return {
      content: draft.content.trim(),
      ...(own ? { voicePath, transcript: voice?.transcript } : { roleId: draft.voice?.roleId }),
      ...toneRequest(draft.tone, tone?.voicePath ?? draft.emotionPath),
    };
  };

  const start = async () => {
    const order = await toOrder();
    setPhase("going");
    const answer = await createClone(order, wishes.keyOf(order));
    const isLost = !answer.ok && answer.refusal.code === "network";
    if (!isLost) wishes.forget(order);
    if (!answer.ok) throw new Refused(answer.refusal);
    options.onStarted(answer.record);
  };

  const submit = async () => {
    if (phase !== "idle") return;
    const found = problemOf(draft, options.allowance);
    setProblem(found);
    setRefusal(null);
    if (found) return;
    setPhase("going");
    try {
      await start();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { code } = error.refusal;
      if (code === "login-expired" || code === "entitlement") options.onRefused(error.refusal);
      if (code !== "login-expired" && !isGone.current) setRefusal(error.refusal);
      if (code === "voice-missing") forgetPlaces(draft, change);
    } finally {
      if (!isGone.current) setPhase("idle");
    }
  };

  const edit = (next: Partial<Draft>) => {
    setProblem(null);
    change(next);
  };
  return { draft, change: edit, isRestored, phase, problem, refusal, submit };
}

class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.code);
  }
}

/** The upstream keeps an upload for a while only: the next press takes the recordings there again. */
function forgetPlaces(draft: Draft, change: (next: Partial<Draft>) => void) {
  const fresh = (reference: Reference | null) => reference && { ...reference, voicePath: undefined };
  const { record, upload, toneRecord, toneUpload } = draft;
  change({
    ...(draft.from === "reference" && { record: fresh(record), upload: fresh(upload), voicePath: "" }),
    ...(draft.tone.genre === 1 && { toneRecord: fresh(toneRecord), toneUpload: fresh(toneUpload), emotionPath: "" }),
  });
}
