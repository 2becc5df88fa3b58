import type { JobHandler } from "../jobs/handler";
import { createKeyring } from "../sealing";
import type { Verify } from "../verify/verify";
import { recordConsents } from "../voices/consent-answers";
import { createConsentLinks } from "../voices/consent-links";
import { createJudgingJob, createProofJudge } from "../voices/proofs/judging";
import { createProofs, judgingKind } from "../voices/proofs/proofs";
import { sweepVoices } from "../voices/proofs/sweep";
import type { Revocations } from "../voices/revocations";
import type { GenerationParts } from "./generations";

interface ProofParts extends Pick<GenerationParts, "db" | "queue" | "files" | "speech" | "voices" | "hitRate"> {
  verify: Pick<Verify, "isOwnSpeech">;
  revocations: Pick<Revocations, "eraseForSpeaker" | "wake">;
  dataKey: string;
  isRequired: boolean;
}

/**
 * Proofs of voices, where publishing requires one; links that ask for consent; and the end of voices that nothing needs.
 */
export function createProofParts(parts: ProofParts) {
  const { db, queue, files, speech, voices, verify, revocations, hitRate, dataKey, isRequired } = parts;
  const { recordings, renditions, segments } = voices;
  const judge = createProofJudge({ db, files, speech, isOwnSpeech: verify.isOwnSpeech });
  const proofs = createProofs({ db, recordings, queue });
  const { eraseForSpeaker: erase, wake } = revocations;
  const keyring = createKeyring([dataKey], "consent link");
  const consentLinks = createConsentLinks({ db, keyring, recordings, files, proofs, hitRate, erase, wake });
  return {
    proofs: isRequired ? proofs : undefined,
    consentLinks,
    /** For separate workers: a person waits for the verdict. */
    handlers: { [judgingKind]: createJudgingJob({ db, judge, recordConsents }) as JobHandler },
    async sweep() {
      await consentLinks.sweep();
      await sweepVoices({ db, files, renditions, segments });
    },
  };
}
