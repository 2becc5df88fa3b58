import { useCallback, useEffect, useRef, useState } from "react";
import { track } from "~/analytics-events";
import { readSessionValue, writeSessionValue } from "~/features/draft/draft";
import type { Reference } from "~/features/reference/reference";
import type { Refusal } from "~server/bff/refusal.server";
import type { TrialProgress } from "~server/bff/trials.server";
import { entitlementReasonOf } from "~server/contract/codes";
import { Refused, TrialFailed } from "./refused";

/** Arrives with the first press. */
const loadClient = () =>
  import("./trial-client").catch(() => {
    throw new Refused({ code: "network" });
  });

/** What the visitor asked for, in words to show beside the result. */
export interface Wanted {
  content: string;
  voiceName: string;
  /** The recording that was heard; undefined for a voice of the square. */
  voicePath?: string | undefined;
}

export interface Done {
  phase: "done";
  wanted: Wanted;
  result: TrialProgress;
}

export type Work =
  | { phase: "idle" }
  | { phase: "sending" }
  | { phase: "running"; wanted: Wanted; progress: TrialProgress | null }
  | Done
  | { phase: "failed"; refusal: Refusal };

interface Start extends Wanted {
  /** One of the two. */
  roleId?: string | undefined;
  reference?: Reference | undefined;
}

interface Options {
  onUploaded(reference: Reference): void;
  /** How many trials are used now. */
  onCounted(used: number): void;
  /** The upstream refused a call, with whatever words it has; not for a trial that ran and failed. */
  onRefused(refusal: Refusal): void;
  /** The login ran out; what was typed and recorded is kept. */
  onLoginExpired(): void;
  /** Not for what a reload brought back. */
  onDone(work: Done): void;
}

const draftKey = "trial-work";
interface Draft {
  taskId: string;
  wanted: Wanted;
}

/** The recording of the last trial, as a reload finds it before its result is read; undefined without one. */
export const lastVoicePath = () => readSessionValue<Draft>(draftKey)?.wanted?.voicePath;

/** One trial at a time, from the press of the button to the result; a reload picks it up where it is. */
export function useWork(options: Options) {
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const [work, setWork] = useState<Work>({ phase: "idle" });
  const lastDone = useRef<Done | null>(null);
  const running = useRef<AbortController | null>(null);

  /** Runs one piece of work; whatever was refused becomes the state, whatever was given up is forgotten. */
  const attempt = useCallback(async (act: (signal: AbortSignal) => Promise<void>) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    try {
      await act(controller.signal);
    } catch (error) {
      if (controller.signal.aborted) return;
      const refusal: Refusal = error instanceof Refused ? error.refusal : { code: "request-failed" };
      const { onRefused, onLoginExpired } = latest.current;
      const isExpired = refusal.code === "login-expired";
      const isAnsweredByDialog = refusal.code === "entitlement" && entitlementReasonOf(refusal.data) !== null;
      // What was heard before stays where a dialog answers.
      const before = lastDone.current ?? { phase: "idle" as const };
      setWork(isExpired || isAnsweredByDialog ? before : { phase: "failed", refusal });
      if (isExpired) onLoginExpired();
      else if (!(error instanceof TrialFailed)) onRefused(refusal);
    }
  }, []);

  const follow = useCallback(async ({ taskId, wanted }: Draft, signal: AbortSignal) => {
    setWork({ phase: "running", wanted, progress: null });
    const { followTrial } = await loadClient();
    const result = await followTrial(taskId, signal, (progress) => {
      if (!signal.aborted) setWork({ phase: "running", wanted, progress });
    });
    if (!result || signal.aborted) return null;
    if (result.state === "failed") throw new TrialFailed(result.refusal ?? { code: "synthesis-failed" });
    const done: Done = { phase: "done", wanted, result };
    lastDone.current = done;
    setWork(done);
    return done;
  }, []);

  const start = ({ reference, roleId, content, voiceName }: Start) =>
    attempt(async (signal) => {
      const isUpload = reference && !reference.voicePath;
      setWork(isUpload ? { phase: "sending" } : { phase: "running", wanted: { content, voiceName }, progress: null });
      const create = async (known: Reference | undefined) => {
        const voicePath = known && (await uploaded(known, signal, latest.current.onUploaded));
        const { createTrial } = await loadClient();
        const created = await createTrial({ content, roleId, voicePath, transcript: known?.transcript }, signal);
        return { ...created, voicePath };
      };
      const trial = await create(reference).catch((error: unknown) => {
        if (!reference?.voicePath || !isForgotten(error)) throw error;
        return create({ ...reference, voicePath: undefined });
      });
      latest.current.onCounted(trial.tryNum);
      const draft = { taskId: trial.taskId, wanted: { content, voiceName, voicePath: trial.voicePath } };
      writeSessionValue(draftKey, draft);
      const done = await follow(draft, signal).catch((error: unknown) => {
        if (error instanceof TrialFailed) {
          track("generation_failed", { where: "trial", why: error.refusal.code });
          latest.current.onCounted(trial.tryNum - 1);
        }
        throw error;
      });
      if (!done) return;
      track("generated", { where: "trial" });
      latest.current.onDone(done);
    });

  useEffect(() => {
    const draft = readSessionValue<Draft>(draftKey);
    const { taskId, wanted } = draft ?? {};
    // A trial of an earlier visit that is gone is nothing to trouble anybody with.
    if (taskId && wanted) {
      void attempt((signal) =>
        follow({ taskId, wanted }, signal).then(
          () => {},
          (error: unknown) => {
            if (!(error instanceof Refused)) throw error;
            if (!signal.aborted) setWork({ phase: "idle" });
          },
        ),
      );
    }
    return () => running.current?.abort();
  }, [attempt, follow]);

  return { work, start };
}

/** The upstream kept an earlier upload for a while only. */
const isForgotten = (error: unknown) =>
  error instanceof Refused && (error.refusal.code === "voice-missing" || error.refusal.code === "not-found");

/** A recording goes up once; its place is remembered for the next sentence. */
async function uploaded(reference: Reference, signal: AbortSignal, onUploaded: Options["onUploaded"]) {
  if (reference.voicePath) return reference.voicePath;
  const voicePath = await (await loadClient()).uploadReference(reference, signal);
  onUploaded({ ...reference, voicePath });
  return voicePath;
}
