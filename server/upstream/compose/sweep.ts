import type { createAccounts } from "../accounts/accounts";
import type { MarkAgreements } from "../accounts/mark-agreements";
import { createRetention } from "../accounts/retention";
import type { Billing } from "../billing/billing";
import type { Db } from "../db/database";
import type { createOnce } from "../db/idempotency";
import type { createRateLimit } from "../db/rate-limit";
import { sweepAllowances } from "../generations/trials/allowance";
import type { Queue } from "../jobs/queue";
import type { MediaFiles } from "../media/files";
import type { Projects } from "../projects/projects";
import { createBacklog } from "../verify/prints";
import type { SpeechParts } from "../voices/ports";
import type { Webhooks } from "../webhooks/webhooks";
import { sweepEngineReports } from "./engine-reports";
import type { Generations } from "./generations";
import type { VoiceSet } from "./voices";

interface SweepParts {
  db: Db;
  once: ReturnType<typeof createOnce>;
  rate: ReturnType<typeof createRateLimit>;
  queue: Queue;
  files: MediaFiles;
  speech: SpeechParts;
  voices: VoiceSet;
  generations: Generations;
  accounts: ReturnType<typeof createAccounts>;
  webhooks: Pick<Webhooks, "sweep">;
  /** Deletes recordings that nothing needs, and voices whose speakers declined. */
  sweepProofs(): Promise<void>;
  projects: Pick<Projects, "sweep">;
  markAgreements: Pick<MarkAgreements, "sweep">;
  handovers: Pick<Billing["handovers"], "sweep">;
  config: { visitorDataDays?: number };
}

const defaultVisitorDataDays = 7;

/** Deletes everything that has expired, one kind after another; rows before the bytes that they name. */
export function createSweep({
  db,
  once,
  rate,
  queue,
  files,
  speech,
  voices,
  generations,
  accounts,
  webhooks,
  markAgreements,
  handovers,
  projects,
  config,
  sweepProofs,
}: SweepParts) {
  const { segments, renditions, prints, vendorVoices } = voices;
  const { roles, events, samples, dubs, videos, shares } = generations;
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
    handovers.sweep,
    webhooks.sweep,
    projects.sweep,
    roles.sweep,
    sweepProofs,
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
