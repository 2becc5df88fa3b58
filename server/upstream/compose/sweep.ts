import type { createAccounts } from "../accounts/accounts";
import { createRetention } from "../accounts/retention";
import type { Db } from "../db/database";
import type { createOnce } from "../db/idempotency";
import type { createRateLimit } from "../db/rate-limit";
import { sweepAllowances } from "../generations/trials/allowance";
import type { createQueue } from "../jobs/queue";
import type { createMediaFiles } from "../media/files";
import { createBacklog } from "../verify/backlog";
import type { createPrints } from "../verify/prints";
import type { SpeechParts } from "../voices/ports";
import type { createRenditions } from "../voices/renditions";
import type { createSegmentCache } from "../voices/segments";
import type { createStudio } from "./generations";

interface Swept {
  db: Db;
  once: ReturnType<typeof createOnce>;
  rate: ReturnType<typeof createRateLimit>;
  queue: ReturnType<typeof createQueue>;
  segments: ReturnType<typeof createSegmentCache>;
  accounts: ReturnType<typeof createAccounts>;
  studio: ReturnType<typeof createStudio>;
  files: ReturnType<typeof createMediaFiles>;
  renditions: ReturnType<typeof createRenditions>;
  prints: ReturnType<typeof createPrints>;
  speech: SpeechParts;
  config: { visitorDataDays?: number };
}

/** Everything that outlives its use, one after the other; bytes go behind the rows that named them. */
export const createSweep = ({ db, once, rate, queue, segments, accounts, studio, files, ...parts }: Swept) => {
  const { renditions, prints, speech, config } = parts;
  return inTurn([
    once.sweep,
    rate.sweep,
    () => queue.sweep(db),
    segments.sweep,
    () => sweepAllowances(db),
    accounts.sweep,
    studio.sweep,
    createRetention({ db, days: config.visitorDataDays ?? visitorDataDays, renditions, files, segments }),
    () => files.removeExpired(),
    createBacklog({ db, files, prints, speech }),
  ]);
};

const inTurn = (acts: Array<() => Promise<unknown>>) => async () => {
  for (const act of acts) await act();
};

/** Where nobody set another. */
const visitorDataDays = 7;
