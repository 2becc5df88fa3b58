import { trialResultCopy as progressWords, trialCopy as words } from "~/copy/home";
import type { Track } from "~/features/player/provider";
import { toDownloads } from "~/features/player/provider";
import type { Human } from "~/features/portrait/still";
import { refusedSentence } from "~/features/reference/reference";
import { paths } from "~/paths";
import type { TrialProgress } from "~server/bff/trials.server";
import { charactersFree } from "~server/contract/limits";
import { countCharacters } from "~server/contract/marks";
import type { FinishedTrial, TrialState } from "./use-trial";
import type { TrialVoice } from "./use-trial-draft";

export type Problem = { where: "voice" | "text"; sentence: string };

/** What is missing for a trial, the voice first; null if it can start. */
export function findProblem(voice: TrialVoice, text: string): Problem | null {
  const sentence = voiceProblem(voice);
  if (sentence) return { where: "voice", sentence };
  const used = countCharacters(text);
  if (used === 0) return { where: "text", sentence: words.text.empty };
  if (used > charactersFree) return { where: "text", sentence: words.text.over(used - charactersFree) };
  return null;
}

function voiceProblem({ source, roleId, references }: TrialVoice): string | null {
  if (source === "sample") return roleId ? null : words.voice.missing.sample;
  const reference = references[source];
  return reference ? refusedSentence(reference) : words.voice.missing[source];
}

/** Selects the first sample if the selected one does not exist. */
export function withDefaultSample(voice: TrialVoice, humans: readonly Human[]): TrialVoice {
  if (humans.some(({ roleId }) => roleId === voice.roleId)) return voice;
  return { ...voice, roleId: humans[0]?.roleId ?? null };
}

export function toTrialRequest({ source, roleId, references }: TrialVoice, content: string, humans: readonly Human[]) {
  if (source !== "sample") {
    return { content, voiceName: words.voice.mine, reference: references[source] ?? undefined };
  }
  const human = humans.find((one) => one.roleId === roleId);
  return { content, voiceName: human?.name ?? words.voice.mine, roleId: roleId ?? undefined };
}

export function progressText(progress: TrialProgress | null): string {
  if (!progress) return progressWords.starting;
  if (progress.queuePos > 0) return progressWords.queued(progress.queuePos);
  return progress.segTotal === 0 ? progressWords.learning : progressWords.speaking(progress.segDone, progress.segTotal);
}

/** The trial's state for screen readers. */
export function announcementOf(trial: TrialState): string {
  if (trial.phase === "uploading") return progressWords.sending;
  if (trial.phase === "running") return progressText(trial.progress);
  return trial.phase === "done" ? progressWords.done : "";
}

/** The result as a player track with downloads. */
export function toTrack({ request, result }: FinishedTrial) {
  const name = `${request.voiceName}-${[...request.content.replace(/\s/g, "")].slice(0, 10).join("")}`;
  return {
    url: paths.media(result.voiceUrl),
    title: request.voiceName,
    subtitle: request.content,
    ...(result.timelineUrl && { timelineUrl: paths.media(result.timelineUrl) }),
    downloads: toDownloads(result, (format) => `${name}.${format}`),
  } satisfies Track;
}
