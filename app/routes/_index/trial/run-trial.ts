import { Refused, refusalOf } from "~/call";
import { sentenceFor } from "~/copy/errors";
import { trialResultCopy as progressWords, trialCopy as words } from "~/copy/home";
import { toDownloads } from "~/features/player/downloads";
import type { PlayerTrack } from "~/features/player/provider";
import type { Human } from "~/features/portrait/still";
import { type Reference, referenceFault, uploadReference } from "~/features/reference/reference";
import { createTrial, followTrial, type TrialStep } from "~/features/tasks/trial-call";
import { paths } from "~/paths";
import { track } from "~/state/analytics-events";
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

interface TrialHost {
  /** Options of the newest render. */
  options(): TrialOptions;
  show(trial: TrialState, announcement: string): void;
  /** For `resume` after a reload. */
  save(draft: TrialDraft): void;
}

/** Runs one trial at a time, from the upload to the result. Loaded with the first press. */
export class TrialRunner {
  readonly #host: TrialHost;
  #lastResult: FinishedTrial | null = null;
  #running: AbortController | null = null;

  constructor(host: TrialHost) {
    this.#host = host;
  }

  /** Plays the last result. */
  replay() {
    if (this.#lastResult) this.#host.options().onDone(toTrack(this.#lastResult));
    return null;
  }

  /** Starts a trial, or returns what is missing for it. */
  start(voice: TrialVoice, text: string, humans: readonly Human[]): Problem | null {
    const problem = findProblem(voice, text);
    if (!problem) void this.#run((signal) => this.#speak(toTrialRequest(voice, text, humans), signal));
    return problem;
  }

  resume({ taskId, wanted }: TrialDraft) {
    return this.#run(async (signal) => {
      try {
        await this.#follow(taskId, wanted, signal);
      } catch (error) {
        // The upstream may have deleted an earlier trial.
        if (!(error instanceof Refused)) throw error;
        if (!signal.aborted) this.#show({ phase: "idle" });
      }
    });
  }

  abort() {
    this.#running?.abort();
  }

  #show(trial: TrialState) {
    this.#host.show(trial, announcementOf(trial));
  }

  /** Aborts the previous run; a refusal becomes the state. */
  async #run(work: (signal: AbortSignal) => Promise<void>) {
    this.#running?.abort();
    this.#running = new AbortController();
    const { signal } = this.#running;
    try {
      await work(signal);
    } catch (error) {
      if (signal.aborted) return;
      const { onLoginExpired, onRefused } = this.#host.options();
      const refusal = refusalOf(error);
      const isExpired = refusal.code === "login-expired";
      const reason = refusal.code === "entitlement" ? entitlementReasonOf(refusal.data) : null;
      this.#show(isExpired || reason ? (this.#lastResult ?? { phase: "idle" }) : { phase: "failed", refusal });
      if (isExpired) onLoginExpired();
      else if (!(error instanceof TrialFailed)) onRefused(sentenceFor(refusal), reason);
    }
  }

  async #follow(taskId: string, request: TrialRequest, signal: AbortSignal) {
    this.#show({ phase: "running", request, progress: null });
    const result = await followTrial(taskId, signal, {
      hasEvents: this.#host.options().hasEvents,
      onProgress: (progress) => this.#show({ phase: "running", request, progress }),
    });
    if (!result || signal.aborted) return null;
    if (result.state === "failed") throw new TrialFailed(result.failure ?? { code: "synthesis-failed" });
    const done: FinishedTrial = { phase: "done", request, result };
    this.#lastResult = done;
    this.#show(done);
    return done;
  }

  /** Uploads the recording unless it was, and creates the trial with it. */
  async #create({ content, roleId, reference }: TrialStart, signal: AbortSignal) {
    const { onUploaded, hasVendors } = this.#host.options();
    const voicePath = reference && (await uploadReference(reference, signal));
    if (reference && !reference.voicePath) onUploaded({ ...reference, voicePath });
    const trial = await createTrial(
      {
        ...{ content, roleId, voicePath, transcript: reference?.transcript },
        ...(voicePath && { consent: { statementId: cloningStatementFor(hasVendors) } }),
      },
      signal,
    );
    return { ...trial, voicePath };
  }

  async #speak(wanted: TrialStart, signal: AbortSignal) {
    const { reference, roleId, content, voiceName } = wanted;
    const isUpload = reference && !reference.voicePath;
    const request = { content, voiceName };
    this.#show(isUpload ? { phase: "uploading" } : { phase: "running", request, progress: null });
    const created = await this.#create(wanted, signal).catch((error: unknown) => {
      if (!reference?.voicePath || !isUploadExpired(error)) throw error;
      return this.#create({ ...wanted, reference: { ...reference, voicePath: undefined } }, signal);
    });
    this.#host.options().onCounted(created.tryNum, created.tryMax);
    const spoken = { ...request, voicePath: created.voicePath, roleId };
    this.#host.save({ taskId: created.taskId, wanted: spoken });
    const done = await this.#follow(created.taskId, spoken, signal).catch((error: unknown) => {
      if (error instanceof TrialFailed) {
        track("generation_failed", { where: "trial", why: error.refusal.code });
        this.#host.options().onCounted(Math.max(0, created.tryNum - 1), created.tryMax);
      }
      throw error;
    });
    if (!done) return;
    track("generated", { where: "trial" });
    this.#host.options().onDone(toTrack(done));
  }
}

/** True if the upstream has deleted an earlier upload. */
const isUploadExpired = (error: unknown) =>
  error instanceof Refused && (error.refusal.code === "voice-missing" || error.refusal.code === "not-found");
