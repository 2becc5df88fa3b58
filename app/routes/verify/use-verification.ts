import { useEffect, useRef, useState } from "react";
import { errorSentences, sentenceFor } from "~/copy/errors";
import { verifyCopy } from "~/copy/verify";
import { notify } from "~/features/toasts/notify";
import { verifyMaxBytes } from "~server/contract/limits";
import { readable } from "./readable";
import { send, type Verified } from "./send";

export type Verification =
  | { phase: "empty" }
  | { phase: "reading" | "comparing"; name: string }
  | { phase: "sending"; name: string; share: number }
  | { phase: "done"; name: string; verified: Verified }
  | { phase: "failed"; name: string; sentence: string; mayRepeat: boolean };

/** One file at a time; a new one takes the place of what still runs. */
export function useVerification() {
  const [state, setState] = useState<Verification>({ phase: "empty" });
  const running = useRef<AbortController>();
  const file = useRef<File>();
  useEffect(() => () => running.current?.abort(), []);

  const check = async (chosen: File) => {
    running.current?.abort();
    file.current = chosen;
    const { name } = chosen;
    const fail = (sentence: string, mayRepeat = false) => setState({ phase: "failed", name, sentence, mayRepeat });
    if (chosen.size > verifyMaxBytes) return fail(errorSentences["too-large"]);
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    setState({ phase: "reading", name });
    const found = await readable(chosen).catch(() => null);
    if (signal.aborted) return;
    if (!found) return fail(verifyCopy.unreadable);
    const onSent = (share: number) =>
      setState(share < 1 ? { phase: "sending", name, share } : { phase: "comparing", name });
    onSent(0);
    const sent = await send(found.file, found.name, { signal, onSent }).catch(() => null);
    if (!sent || signal.aborted) return;
    if (!sent.ok) {
      notify({ kind: "error", text: sentenceFor(sent.refusal) });
      return fail(sentenceFor(sent.refusal), sent.refusal.code !== "reference-not-audio");
    }
    setState({ phase: "done", name, verified: { ...sent.verified, ...(found.isUnpacked && { labelled: null }) } });
  };

  return {
    state,
    check,
    repeat: () => file.current && check(file.current),
    reset() {
      running.current?.abort();
      setState({ phase: "empty" });
    },
  };
}
