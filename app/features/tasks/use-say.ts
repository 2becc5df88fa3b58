import { startTransition, useEffect, useRef, useState } from "react";
import { type Refusal, Refused, refusalOf } from "~/call";
import { track } from "~/state/analytics-events";
import { useHasCall } from "~/state/capabilities";
import { createSavedValue, owned } from "~/ui/store";
import type { TrialProgress } from "~server/bff/trials.server";
import { createTrial, followTrial } from "./trial-call";

/** A sentence that was spoken, and its sound. */
export interface Said {
  text: string;
  result: TrialProgress;
}

interface SayOptions {
  roleId: string;
  /** Trials used and allowed, after each start. */
  onCounted(used: number, max: number): void;
  onSaid(said: Said): void;
  onRefused(refusal: Refusal): void;
  /** A sentence of an earlier visit of this tab is back in the field. */
  onRestored(say: () => void): void;
}

const savedText = (roleId: string) =>
  createSavedValue(owned(`say-${roleId}`), (json) => (typeof json === "string" ? json : null));

/** Speaks a sentence with a public voice by the ordinary trial; the text is kept for this tab. */
export function useSay(options: SayOptions) {
  const { roleId } = options;
  const hasEvents = useHasCall("taskEvents");
  const [text, setText] = useState("");
  const [said, setSaid] = useState<Said | null>(null);
  const [isPending, setPending] = useState(false);
  const running = useRef<AbortController | null>(null);
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });

  const say = async (content: string) => {
    // Heard again for nothing.
    if (said?.text === content) return latest.current.onSaid(said);
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    setPending(true);
    try {
      const trial = await createTrial({ content, roleId }, signal);
      latest.current.onCounted(trial.tryNum, trial.tryMax);
      const result = await followTrial(trial.taskId, signal, { hasEvents, onProgress: () => {} });
      if (!result || signal.aborted) return;
      if (result.state === "failed") throw new Refused(result.failure ?? { code: "synthesis-failed" });
      track("generated", { where: "trial" });
      setSaid({ text: content, result });
      latest.current.onSaid({ text: content, result });
    } catch (error) {
      if (!signal.aborted) latest.current.onRefused(refusalOf(error));
    } finally {
      if (!signal.aborted) setPending(false);
    }
  };
  const sayLatest = useRef(say);
  useEffect(() => {
    sayLatest.current = say;
  });

  useEffect(() => {
    setSaid(null);
    const saved = savedText(roleId).read() ?? "";
    // An urgent update would restart the hydration of the page.
    startTransition(() => setText(saved));
    if (saved) latest.current.onRestored(() => void sayLatest.current(saved.trim()));
    return () => running.current?.abort();
  }, [roleId]);
  const write = (next: string) => {
    setText(next);
    savedText(roleId).write(next);
  };
  const isSaid = said?.text === text.trim();
  return { text, write, say: () => void say(text.trim()), isPending, said, isSaid };
}
