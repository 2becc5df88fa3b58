import { type Migration, Migrator } from "kysely";
import type { Db } from "./database";
import { queue } from "./migrations/0001_queue";
import { media } from "./migrations/0002_media";
import { voices } from "./migrations/0003_voices";
import { trials } from "./migrations/0004_trials";
import { billing } from "./migrations/0010_billing";
import { accounts } from "./migrations/0011_accounts";
import { segmentVoices } from "./migrations/0012_segment_voices";
import { trialHold } from "./migrations/0013_trial_hold";
import { roles } from "./migrations/0020_roles";
import { clones } from "./migrations/0021_clones";
import { dubs } from "./migrations/0022_dubs";
import { fingerprints } from "./migrations/0023_fingerprints";
import { erasure } from "./migrations/0024_erasure";
import { closedWallets } from "./migrations/0025_closed_wallets";
import { spokenBy } from "./migrations/0026_spoken_by";
import { jobOrigin } from "./migrations/0027_job_origin";
import { segmentKeeping } from "./migrations/0028_segment_keeping";
import { avatarIds } from "./migrations/0029_avatar_ids";
import { refundWays } from "./migrations/0030_refund_ways";
import { linkAge } from "./migrations/0031_link_age";
import { confirming } from "./migrations/0032_confirming";
import { jobLane } from "./migrations/0033_job_lane";
import { lineSegments } from "./migrations/0034_line_segments";
import { comparedDays } from "./migrations/0035_compared_days";
import { downloads } from "./migrations/0036_downloads";

// Named here and not found by listing a folder: the build is one file.
const migrations: Record<string, Migration> = {
  "0001_queue": queue,
  "0002_media": media,
  "0003_voices": voices,
  "0004_trials": trials,
  "0010_billing": billing,
  "0011_accounts": accounts,
  "0012_segment_voices": segmentVoices,
  "0013_trial_hold": trialHold,
  "0020_roles": roles,
  "0021_clones": clones,
  "0022_dubs": dubs,
  "0023_fingerprints": fingerprints,
  "0024_erasure": erasure,
  "0025_closed_wallets": closedWallets,
  "0026_spoken_by": spokenBy,
  "0027_job_origin": jobOrigin,
  "0028_segment_keeping": segmentKeeping,
  "0029_avatar_ids": avatarIds,
  "0030_refund_ways": refundWays,
  "0031_link_age": linkAge,
  "0032_confirming": confirming,
  "0033_job_lane": jobLane,
  "0034_line_segments": lineSegments,
  "0035_compared_days": comparedDays,
  "0036_downloads": downloads,
};

const createMigrator = (db: Db) =>
  new Migrator({ db, provider: { getMigrations: async () => migrations }, allowUnorderedMigrations: true });

/**
 * Brings the schema up to date; whoever does so at the same time waits behind an advisory lock. Answers the names of what
 * was done. Throws what a migration threw.
 */
export async function migrate(db: Db): Promise<string[]> {
  const { error, results = [] } = await createMigrator(db).migrateToLatest();
  if (error) throw error;
  return results.map(({ migrationName }) => migrationName);
}

/** What `migrate` would do. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const known = await createMigrator(db).getMigrations();
  return known.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name);
}
