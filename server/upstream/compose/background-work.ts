import { setMaxListeners } from "node:events";
import { availableParallelism } from "node:os";
import type { Logger } from "pino";
import type { PublicVersion } from "~server/public-reads";
import { createRetention } from "../accounts/retention";
import type { Db } from "../db/database";
import { sweepAllowances } from "../generations/trials/allowance";
import { logged, loggedDone } from "../jobs/runner";
import { createWorker, repeatUntil, type WorkerOptions } from "../jobs/worker";
import { createBacklog } from "../verify/prints";
import type { SpeechParts } from "../voices/ports";
import { type EngineReports, reportEveryMs, sweepEngineReports } from "./engine-reports";
import type { UpstreamConfig, UpstreamParts } from "./parts";
import { keepVoicesInstalled } from "./wanted-voices";

const sweepEveryMs = 60 * 60 * 1000;
/** How soon a model that was installed or removed is noticed. */
const lookEveryMs = 3_000;
const expiryEveryMs = 10 * 60_000;

interface BackgroundParts {
  db: Db;
  config: UpstreamConfig;
  log: Logger;
  /** Stops everything; running jobs return to the queue. */
  signal: AbortSignal;
  speech: Pick<SpeechParts, "print"> & { speakers?(): string };
  reports: Pick<EngineReports, "report">;
  publicVersion: PublicVersion;
  /** Whether to speak the seeded roles' previews. */
  previews: boolean;
  worker: Partial<WorkerOptions> | undefined;
}

/** Starts the workers of the queue and all that this process does from time to time. */
export function startBackgroundWork(parts: UpstreamParts, background: BackgroundParts): Promise<void>[] {
  const { db, config, log, signal, reports, publicVersion, worker } = background;
  const { queue, money, voices, generations, messages } = parts;
  const { onError, onDone: logDone } = createJobLog(log);
  const onDone: WorkerOptions["onDone"] = (job, done) => {
    logDone(job, done);
    // Roles of the square get their previews from these jobs.
    if (job.kind === voices.previews.kind || job.kind in generations.roles.handlers) publicVersion.advance();
  };
  const repeat = (everyMs: number, act: () => Promise<void>) => repeatUntil(signal, { everyMs, act, onError });
  const enqueuePreviews = background.previews ? voices.previews.enqueue : async () => {};
  return [
    ...startWorkers(parts, { db, queue, signal, onError, onDone, ...worker }),
    money.billing.plan().catch(onError),
    keepVoicesInstalled(config, { log, signal }),
    repeat(sweepEveryMs, createSweep(parts, background)),
    repeat(lookEveryMs, createSpeakerFollower({ ...background, enqueuePreviews })),
    repeat(expiryEveryMs, () => messages.planExpiries()),
    repeat(reportEveryMs, () => reports.report()),
  ];
}

type FollowerParts = Pick<BackgroundParts, "speech" | "log" | "publicVersion"> & {
  enqueuePreviews(): Promise<unknown>;
};

/** The previews of another engine are made again. */
function createSpeakerFollower({ speech, log, publicVersion, enqueuePreviews }: FollowerParts) {
  let speakers: string | undefined;
  return async () => {
    const now = speech.speakers?.() ?? "";
    if (now === speakers) return;
    if (speakers !== undefined) log.info({ engines: now }, "other speech engines speak from now on");
    publicVersion.advance();
    await enqueuePreviews();
    speakers = now;
  };
}

/** Separate workers: generations, films, previews, proofs, webhooks, messages, and the jobs of each gateway never wait for each other. */
function startWorkers(
  { generations, money, accounts, voices, proof, webhooks, messages }: UpstreamParts,
  options: Omit<WorkerOptions, "handlers" | "concurrency">,
): Promise<void>[] {
  // One listener for each worker and each running job.
  setMaxListeners(100, options.signal);
  const otherHandlers = { ...money.handlers, ...accounts.handlers, ...generations.actHandlers };
  const lanes = [...new Set(Object.values(money.gateways).map(({ name }) => name))];
  return [
    createWorker({ ...options, handlers: generations.handlers, concurrency: availableParallelism() }),
    createWorker({ ...options, handlers: generations.filmHandlers, concurrency: 1 }),
    createWorker({ ...options, handlers: proof.handlers, concurrency: 2 }),
    createWorker({ ...options, handlers: { [voices.previews.kind]: voices.previews.job }, concurrency: 1 }),
    createWorker({ ...options, handlers: webhooks.handlers, concurrency: 4 }),
    ...(messages.areSent ? [createWorker({ ...options, handlers: messages.handlers, concurrency: 2 })] : []),
    createWorker({ ...options, handlers: otherHandlers, lanes: { except: lanes }, concurrency: 2 }),
    ...lanes.map((only) => createWorker({ ...options, handlers: money.handlers, lanes: { only }, concurrency: 2 })),
  ];
}

/** Jobs that query gateways every few seconds are logged at debug level. */
const createJobLog = (log: Logger): Required<Pick<WorkerOptions, "onError" | "onDone">> => ({
  onError: (error, job) => log.warn({ err: error, ...(job && logged(job)) }, "work in the background failed"),
  onDone: (job, done) => log[done.facts ? "info" : "debug"](loggedDone(job, done), "a job is done"),
});

const defaultVisitorDataDays = 7;

/** Deletes everything that has expired, one kind after another; rows before the bytes that they name. */
function createSweep(parts: UpstreamParts, { db, speech, config }: BackgroundParts) {
  const { once, rate, queue, files, accounts, markAgreements, money, webhooks, projects, proof } = parts;
  const { segments, renditions, prints, vendorVoices } = parts.voices;
  const { roles, events, samples, dubs, videos, shares } = parts.generations;
  const days = config.visitorDataDays ?? defaultVisitorDataDays;
  const steps = [
    once.sweep,
    rate.sweep,
    () => queue.sweep(db),
    () => sweepEngineReports(db),
    segments.sweep,
    () => sweepAllowances(db),
    accounts.sweep,
    markAgreements.sweep,
    money.billing.handovers.sweep,
    webhooks.sweep,
    () => projects.sweep(),
    roles.sweep,
    proof.sweep,
    events.sweep,
    samples.sweep,
    dubs.sweep,
    videos.sweep,
    createRetention({ db, days, renditions, files, segments }),
    shares.sweep,
    () => files.removeExpired(),
    vendorVoices.sweep,
    createBacklog({ db, files, prints, speech }),
  ];
  return async () => {
    for (const step of steps) await step();
  };
}
