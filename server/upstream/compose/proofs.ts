import type { Db } from "../db/database";
import type { MediaFiles } from "../media/files";
import type { Verify } from "../verify/verify";
import type { SpeechParts } from "../voices/ports";
import { createProofJudge } from "../voices/proofs/judging";
import { createProofs } from "../voices/proofs/proofs";
import { sweepVoices } from "../voices/proofs/sweep";
import type { Voices } from "./voices";

interface ProofParts {
  db: Db;
  files: MediaFiles;
  speech: SpeechParts;
  voices: Voices;
  verify: Pick<Verify, "isOwnSpeech">;
  isRequired: boolean;
}

/** Proofs of voices, and the end of voices without one; neither where no proof is required. */
export function createProofParts({ db, files, speech, voices, verify, isRequired }: ProofParts) {
  if (!isRequired) return { proofs: undefined, sweep: async () => {} };
  const { recordings, renditions, segments } = voices;
  const judge = createProofJudge({ db, files, speech, isOwnSpeech: verify.isOwnSpeech });
  return {
    proofs: createProofs({ db, recordings, judge }),
    sweep: () => sweepVoices({ db, files, renditions, segments }),
  };
}
