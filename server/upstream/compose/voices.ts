import { recordingLimits } from "~server/contract/recording/quality";
import type { Db } from "../db/database";
import type { Once } from "../db/idempotency";
import { createSoundTrackDecoder } from "../film/sound-track";
import type { Queue } from "../jobs/queue";
import type { MediaFiles } from "../media/files";
import type { Blobs } from "../media/store";
import type { Owner } from "../owner";
import { createKeyring, type Keyring } from "../sealing";
import { createPreviews } from "../square/previews";
import { createPrints } from "../verify/prints";
import { createBlockedVoices } from "../voices/blocked-voices";
import type { SpeechParts } from "../voices/ports";
import { createProfiles } from "../voices/profiles";
import { createRecordings } from "../voices/recordings";
import { createRenditions } from "../voices/renditions";
import { createSegmentCache } from "../voices/segments";
import { createSpeaker } from "../voices/speaker";
import { createUsableRoles } from "../voices/usable-roles";
import { createVendorVoices } from "../voices/vendor-voices";

interface VoiceParts {
  db: Db;
  once: Once;
  queue: Queue;
  files: MediaFiles;
  blobs: Blobs;
  /** For voice profiles. */
  keyring: Keyring;
  speech: SpeechParts;
  /** Reads what phones record. */
  ffmpegPath?: string | undefined;
  /** Whether an owner's downloads are made without the audible mark. */
  isWaived(owner: Owner | null): Promise<boolean>;
}

export type VoiceSet = ReturnType<typeof createVoices>;

/** PROFILE_KEY, newest first, and the keys that it has replaced: DATA_KEY seals the profiles where it is not set. */
export function createProfileKeyring({
  profileKeys = [],
  dataKey,
}: {
  profileKeys?: string[];
  dataKey: string;
}): Keyring {
  const [newest = dataKey, ...older] = profileKeys;
  return createKeyring([newest, ...older, dataKey], "voice profile");
}

/** Recordings, the voices learned from them, and the sounds that they speak. */
export function createVoices({ db, once, queue, files, blobs, keyring, speech, ffmpegPath, isWaived }: VoiceParts) {
  const segments = createSegmentCache({ db, blobs });
  const decodeSoundTrack = createSoundTrackDecoder(ffmpegPath, {
    sampleRate: 44_100,
    maxSeconds: recordingLimits.maxSeconds + 1,
  });
  const vendorVoices = createVendorVoices({ db, speech });
  const blockedVoices = createBlockedVoices({ db, keyring, speech });
  const profiles = createProfiles({ db, files, keyring, segments, speech, vendorVoices, blockedVoices });
  const prints = createPrints(db);
  const renditions = createRenditions({ db, files, speech, prints, isWaived });
  const speak = createSpeaker({ speech, segments });
  return {
    segments,
    vendorVoices,
    blockedVoices,
    profiles,
    prints,
    renditions,
    speak,
    recordings: createRecordings({ db, once, files, segments, speech, blockedVoices, decodeSoundTrack }),
    usableRoles: createUsableRoles(db),
    previews: createPreviews({ db, queue, speech, profiles, speak, renditions }),
  };
}
