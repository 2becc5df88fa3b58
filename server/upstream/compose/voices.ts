import type { Db } from "../db/database";
import type { Once } from "../db/idempotency";
import type { Queue } from "../jobs/queue";
import type { MediaFiles } from "../media/files";
import type { Blobs } from "../media/store";
import { createPreviews } from "../square/previews";
import { createPrints } from "../verify/prints";
import type { SpeechParts } from "../voices/ports";
import { createProfiles } from "../voices/profiles";
import { createRecordings } from "../voices/recordings";
import { createRenditions } from "../voices/renditions";
import { createSegmentCache } from "../voices/segments";
import { createSpeaker } from "../voices/speaker";
import { createUsableRoles } from "../voices/usable-roles";

interface VoiceParts {
  db: Db;
  once: Once;
  queue: Queue;
  files: MediaFiles;
  blobs: Blobs;
  speech: SpeechParts;
}

export type Voices = ReturnType<typeof createVoices>;

/** Recordings, the voices learned from them, and the sounds that they speak. */
export function createVoices({ db, once, queue, files, blobs, speech }: VoiceParts) {
  const segments = createSegmentCache({ db, blobs });
  const profiles = createProfiles({ db, files, segments, speech });
  const prints = createPrints(db);
  const renditions = createRenditions({ db, files, speech, prints });
  const speak = createSpeaker({ speech, segments });
  return {
    segments,
    profiles,
    prints,
    renditions,
    speak,
    recordings: createRecordings({ db, once, files, segments, speech }),
    usableRoles: createUsableRoles(db),
    previews: createPreviews({ db, queue, speech, profiles, speak, renditions }),
  };
}
