import { useCallback, useEffect, useRef, useState } from "react";
import { callApi, type Refusal, refusalOf } from "~/call";
import { paths } from "~/paths";
import type { CallData } from "~server/contract/calls/table";
import { type Reference, uploadReference } from "./reference";

export type ProofPrompt = CallData<"proofPrompt">;
export type ProofResult = CallData<"proofSubmit">;

/** The voice to be proven: a role's, or that of an uploaded recording. */
export type ProvenVoice = { roleId: string } | { voicePath: string };

export type ProofState =
  | { step: "loading" }
  /** No prompt was given, or a recording was not taken. */
  | { step: "refused"; refusal: Refusal }
  /** `refusal`: why the last recording of this prompt was not taken. */
  | { step: "reading"; prompt: ProofPrompt; refusal?: Refusal }
  | { step: "expired" }
  /** No prompt if it was read before this page was loaded. */
  | { step: "judging"; prompt?: ProofPrompt }
  | { step: "answered"; promptId: string; result: ProofResult }
  | { step: "review-asked" };

/** A prompt ends this much earlier here, so that a recording of it arrives in time. */
const uploadSeconds = 20;
/** Between two polls of the verdict. */
const pollMs = 1500;
/** Failed polls in a row after which the failure is shown. */
const unansweredMax = 20;

export interface ProofCalls {
  /** A new prompt; the earlier one ends. Throws Refused, as the other calls do. */
  prompt(): Promise<ProofPrompt>;
  submit(promptId: string, voicePath: string): Promise<ProofResult>;
  /** Verdict of a submitted prompt; null once its question is closed. */
  result(promptId: string): Promise<ProofResult | null>;
  review(promptId: string): Promise<unknown>;
}

/** The calls for the caller's own role or recording. */
export const createProofCalls = (voice: ProvenVoice): ProofCalls => ({
  prompt: () => callApi("proofPrompt", voice),
  submit: (promptId, voicePath) => callApi("proofSubmit", { promptId, voicePath }),
  result: (promptId) => callApi("proofResult", { promptId }),
  review: (promptId) => callApi("proofReview", { promptId }),
});

/** Polls until the recording is judged; null once the question is closed or `isOver` is true. */
async function waitForVerdict(calls: ProofCalls, promptId: string, isOver: () => boolean) {
  for (let unanswered = 0; !isOver(); ) {
    try {
      const result = await calls.result(promptId);
      if (result?.outcome !== "judging") return result;
      unanswered = 0;
    } catch (error) {
      // The server may be starting again.
      const isLasting = !/^(network|timeout|too-many|request-failed)$/.test(refusalOf(error).code);
      if (isLasting || ++unanswered > unansweredMax) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  return null;
}

/** Refusals after which the same prompt can be read again. */
const isRetryable = ({ code }: Refusal) => /^(reference-|too-large|network)/.test(code);

/** Asks for a prompt, has the recording of it judged, and asks operators for a review. `calls` may not change. */
export function useProof(calls: ProofCalls) {
  const [state, setState] = useState<ProofState>({ step: "loading" });
  const isUnmounted = useRef(false);
  const set = useCallback((next: ProofState) => {
    if (!isUnmounted.current) setState(next);
  }, []);
  const awaitVerdict = useCallback(
    async (promptId: string) => {
      const result = await waitForVerdict(calls, promptId, () => isUnmounted.current);
      if (result) set({ step: "answered", promptId, result });
    },
    [calls, set],
  );
  const ask = useCallback(async () => {
    set({ step: "loading" });
    try {
      set({ step: "reading", prompt: await calls.prompt() });
    } catch (error) {
      const refusal = refusalOf(error);
      const { promptId } = refusal.data ?? {};
      if (refusal.code !== "proof-judging" || typeof promptId !== "string") return set({ step: "refused", refusal });
      set({ step: "judging" });
      await awaitVerdict(promptId).catch((failure) => set({ step: "refused", refusal: refusalOf(failure) }));
    }
  }, [calls, set, awaitVerdict]);
  const expire = useCallback(() => set({ step: "expired" }), [set]);

  useEffect(() => {
    isUnmounted.current = false;
    void ask();
    return () => {
      isUnmounted.current = true;
    };
  }, [ask]);

  const judge = async (prompt: ProofPrompt, reference: Reference) => {
    set({ step: "judging", prompt });
    const { promptId } = prompt;
    try {
      const result = await calls.submit(promptId, await uploadReference(reference));
      if (result.outcome === "judging") await awaitVerdict(promptId);
      else set({ step: "answered", promptId, result });
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal.code === "proof-expired") expire();
      else set(isRetryable(refusal) ? { step: "reading", prompt, refusal } : { step: "refused", refusal });
    }
  };
  const askReview = async (promptId: string) => {
    try {
      await calls.review(promptId);
      set({ step: "review-asked" });
    } catch (error) {
      set({ step: "refused", refusal: refusalOf(error) });
    }
  };
  return { state, ask, judge, askReview, expire };
}

/** Seconds until a prompt ends; calls `onEnd` then. */
export function useSecondsLeft(prompt: ProofPrompt, onEnd: () => void): number {
  const { promptId, expiresInSeconds } = prompt;
  const [left, setLeft] = useState(Math.max(0, expiresInSeconds - uploadSeconds));
  useEffect(() => {
    if (!promptId) return;
    const end = Date.now() + Math.max(0, expiresInSeconds - uploadSeconds) * 1000;
    const timer = setInterval(() => {
      const seconds = Math.max(0, Math.ceil((end - Date.now()) / 1000));
      setLeft(seconds);
      if (seconds > 0) return;
      clearInterval(timer);
      onEnd();
    }, 1000);
    return () => clearInterval(timer);
  }, [promptId, expiresInSeconds, onEnd]);
  return left;
}

type PromptPlayback = "silent" | "loading" | "playing" | "failed";

/** Reads a prompt aloud with the product's own voice, part by part. */
export function usePromptReading({ statement, lines }: ProofPrompt) {
  const [reading, setReading] = useState<PromptPlayback>("silent");
  const audio = useRef<HTMLAudioElement | null>(null);
  const run = useRef(0);
  const parts = [statement, lines.map((line) => line.join("，")).join("。")];

  const stop = useCallback(() => {
    run.current++;
    audio.current?.pause();
    audio.current = null;
    setReading("silent");
  }, []);
  useEffect(() => stop, [stop]);

  const start = async () => {
    const own = ++run.current;
    setReading("loading");
    try {
      const urls = parts.map(async (content) => {
        return paths.media((await callApi("sample", { content })).voiceUrl);
      });
      for (const url of await Promise.all(urls)) {
        if (run.current !== own) return;
        await play(url, (element) => {
          audio.current = element;
          setReading("playing");
        });
      }
      if (run.current === own) setReading("silent");
    } catch {
      if (run.current === own) setReading("failed");
    }
  };
  return { reading, start: () => void start(), stop };
}

/** Resolves when the sound ended or was paused. Throws where it cannot be played. */
function play(url: string, onStart: (element: HTMLAudioElement) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const element = new Audio(url);
    element.onended = () => resolve();
    element.onpause = () => resolve();
    element.onerror = () => reject(new Error("the prompt cannot be played"));
    onStart(element);
    element.play().catch(reject);
  });
}
