import { track } from "~/analytics-events";
import { Refused, refusalOf } from "~/call";
import { sentenceFor } from "~/copy/errors";
import { trialResultCopy as progressWords, trialCopy as words } from "~/copy/home";
import { toDownloads } from "~/features/player/downloads";
import type { PlayerTrack } from "~/features/player/provider";
import type { Human } from "~/features/portrait/still";
import { type Reference, referenceFault, uploadReference } from "~/features/reference/reference";
import { createTrial, followTrial, type TrialStep } from "~/features/tasks/trial-call";
import { paths } from "~/paths";
import { entitlementReasonOf } from "~server/contract/codes";
import { cloningStatementFor } from "~server/contract/consent";
import { charactersFree } from "~server/contract/limits";
import { countCharacters } from "~server/contract/marks";
import type {
  FinishedTrial,
  Problem,
  TrialDraft,
  TrialOptions,
  TrialRequest,
  TrialState,
  TrialVoice,
} from "./trial-state";

/** The first missing part of a trial, checked voice first; null if the trial can start. */
export function findProblem(voice: TrialVoice, text: string): Problem | null {
  const sentence = voiceProblem(voice);
  if (sentence) return { where: "voice", sentence };
  const used = countCharacters(text);
  if (used === 0) return { where: "text", sentence: words.text.empty };
  if (used > charactersFree) return { where: "text", sentence: words.text.over(used - charactersFree) };
  return null;
}

function voiceProblem({ source, roleId, references }: TrialVoice): string | null {
  if (source === "sample") return roleId ? null : words.voice.missing;
  return referenceFault({ source, ...references });
}

/** Has either `roleId` or `reference`. */
interface TrialStart extends TrialRequest {
  roleId?: string | undefined;
  reference?: Reference | undefined;
}

export function toTrialRequest(
  { source, roleId, references }: TrialVoice,
  content: string,
  humans: readonly Human[],
): TrialStart {
  if (source !== "sample") {
    return { content, voiceName: words.voice.mine, reference: references[source] ?? undefined };
  }
  const human = humans.find((one) => one.roleId === roleId);
  return { content, voiceName: human?.name ?? words.voice.mine, roleId: roleId ?? undefined };
}

export function progressText(progress: TrialStep | null): string {
  if (!progress) return progressWords.starting;
  if (progress.queuePos > 0) return progressWords.queued(progress.queuePos);
  return progress.segTotal === 0 ? progressWords.learning : progressWords.speaking(progress.segDone, progress.segTotal);
}

/** The trial's state for screen readers. */
function announcementOf(trial: TrialState): string {
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
  } satisfies PlayerTrack;
}

/** The trial ran and failed, so it is not counted. */
class TrialFailed extends Refused {}

interface Host {
  /** Options of the newest render. */
  options(): TrialOptions;
  show(trial: TrialState, announcement: string): void;
  /** For `resume` after a reload. */
  save(draft: TrialDraft): void;
}

/** Runs one trial at a time, from the upload to the result. Loaded with the first press. */
export function createTrialRunner({ options, show: showTrial, save }: Host) {
  let lastResult: FinishedTrial | null = null;
  let running: AbortController | null = null;
  const show = (trial: TrialState) => showTrial(trial, announcementOf(trial));

  /** Aborts the previous run; a refusal becomes the state. */
  async function run(work: (signal: AbortSignal) => Promise<void>) {
    running?.abort();
    running = new AbortController();
    const { signal } = running;
    try {
      await work(signal);
    } catch (error) {
      if (signal.aborted) return;
      const refusal = refusalOf(error);
      const isExpired = refusal.code === "login-expired";
      const reason = refusal.code === "entitlement" ? entitlementReasonOf(refusal.data) : null;
      show(isExpired || reason ? (lastResult ?? { phase: "idle" }) : { phase: "failed", refusal });
      if (isExpired) options().onLoginExpired();
      else if (!(error instanceof TrialFailed)) options().onRefused(sentenceFor(refusal), reason);
    }
  }

  async function follow(taskId: string, request: TrialRequest, signal: AbortSignal) {
    show({ phase: "running", request, progress: null });
    const result = await followTrial(taskId, signal, {
      hasEvents: options().hasEvents,
      onProgress: (progress) => show({ phase: "running", request, progress }),
    });
    if (!result || signal.aborted) return null;
    if (result.state === "failed") throw new TrialFailed(result.failure ?? { code: "synthesis-failed" });
    const done: FinishedTrial = { phase: "done", request, result };
    lastResult = done;
    show(done);
    return done;
  }

  /** Uploads the recording unless it was, and creates the trial with it. */
  async function create(text: string, roleId: string | undefined, known: Reference | undefined, signal: AbortSignal) {
    const { onUploaded, hasVendors } = options();
    const voicePath = known && (await uploadReference(known, signal));
    if (known && !known.voicePath) onUploaded({ ...known, voicePath });
    const trial = await createTrial(
      {
        ...{ content: text, roleId, voicePath, transcript: known?.transcript },
        ...(voicePath && { consent: { statementId: cloningStatementFor(hasVendors) } }),
      },
      signal,
    );
    return { ...trial, voicePath };
  }

  async function speak({ reference, roleId, content, voiceName }: TrialStart, signal: AbortSignal) {
    const isUpload = reference && !reference.voicePath;
    show(isUpload ? { phase: "uploading" } : { phase: "running", request: { content, voiceName }, progress: null });
    const created = await create(content, roleId, reference, signal).catch((error: unknown) => {
      if (!reference?.voicePath || !isUploadExpired(error)) throw error;
      return create(content, roleId, { ...reference, voicePath: undefined }, signal);
    });
    options().onCounted(created.tryNum, created.tryMax);
    const request = { content, voiceName, voicePath: created.voicePath, roleId };
    save({ taskId: created.taskId, wanted: request });
    const done = await follow(created.taskId, request, signal).catch((error: unknown) => {
      if (error instanceof TrialFailed) {
        track("generation_failed", { where: "trial", why: error.refusal.code });
        options().onCounted(Math.max(0, created.tryNum - 1), created.tryMax);
      }
      throw error;
    });
    if (!done) return;
    track("generated", { where: "trial" });
    options().onDone(toTrack(done));
  }

  return {
    /** Plays the last result. */
    replay() {
      if (lastResult) options().onDone(toTrack(lastResult));
      return null;
    },
    /** Starts a trial, or returns what is missing for it. */
    start(voice: TrialVoice, text: string, humans: readonly Human[]): Problem | null {
      const problem = findProblem(voice, text);
      if (!problem) void run((signal) => speak(toTrialRequest(voice, text, humans), signal));
      return problem;
    },
    resume: ({ taskId, wanted }: TrialDraft) =>
      run(async (signal) => {
        try {
          await follow(taskId, wanted, signal);
        } catch (error) {
          // The upstream may have deleted an earlier trial.
          if (!(error instanceof Refused)) throw error;
          if (!signal.aborted) show({ phase: "idle" });
        }
      }),
    abort: () => running?.abort(),
  };
}

/** True if the upstream has deleted an earlier upload. */
const isUploadExpired = (error: unknown) =>
  error instanceof Refused && (error.refusal.code === "voice-missing" || error.refusal.code === "not-found");
