import { trialResultCopy as words } from "~/copy/home";
import type { TrialProgress } from "~server/bff/trials.server";
import type { Work } from "./use-work";

/** What the progress says in words, on the page and to screen readers. */
export function wordOf(progress: TrialProgress | null): string {
  if (!progress) return words.starting;
  if (progress.queuePos > 0) return words.queued(progress.queuePos);
  return progress.segTotal === 0 ? words.learning : words.speaking(progress.segDone, progress.segTotal);
}

export function said(work: Work): string {
  if (work.phase === "sending") return words.sending;
  if (work.phase === "running") return wordOf(work.progress);
  return work.phase === "done" ? words.done : "";
}
