import type { ProofFault } from "~server/contract/calls/proofs";
import type { RecordingQuality, RecordingTip } from "~server/contract/recording/quality";
import type { ProofMeasures } from "../../../speech/index";

/** Seconds of speech. */
const spokenLeastSeconds = 5;

/**
 * Limits between the answers; see docs/decisions/0054-voice-proofs.md. `no`: clearly not; `yes`: at most 2.5 % of
 * others pass in one try. Between them operators decide.
 */
export const proofThresholds = {
  snrDb: 15,
  clipping: 0.001,
  /** A telephone band lies below −45 dB, microphones above −38 dB. */
  highBandDb: -42,
  words: { yes: 2.3, eachLine: 1, no: 1 },
  speaker: { yes: -10.7, no: -25 },
  /** Limits where models are installed, instead of words and speaker. Not measured on recordings of proofs. */
  heard: { yes: 0.8, eachLine: 0.7, no: 0.4 },
  likeness: { yes: 0.5, no: 0.25 },
  copied: { identical: 0.08, alike: 0.45 },
  /** Speech of our engines has 0.09 to 0.17, recordings of 35 people 0 to 0.033. */
  silence: 0.06,
} as const;

export interface ProofVerdict {
  /** `unusable`: the recording cannot be judged, and no try is counted. */
  outcome: "yes" | "no" | "unclear" | "unusable";
  reason: ProofFault | null;
}

/** Reason why a recording cannot be judged; null if it can. `highBandDb` is absent before it is measured. */
export function findQualityFault(quality: RecordingQuality, highBandDb?: number): ProofFault | null {
  const isRefusedFor = (tip: RecordingTip) => quality.verdict === "refused" && quality.tips.includes(tip);
  if (quality.speechSeconds < spokenLeastSeconds) return isDrowned(quality) ? "noisy" : "too-short";
  // Where it only warns, a fine reading may be meant: a list of words has a beat, and its vowels are held.
  if (isRefusedFor("music") || isRefusedFor("singing")) return "music";
  if (quality.clipping > proofThresholds.clipping) return "clipped";
  if (quality.snrDb < proofThresholds.snrDb) return "noisy";
  return highBandDb !== undefined && highBandDb < proofThresholds.highBandDb ? "phone-band" : null;
}

/** Noise hides the speech of a recording that is long enough. */
const isDrowned = ({ durationMs, speechSeconds, snrDb }: RecordingQuality) =>
  durationMs > 2000 * spokenLeastSeconds && speechSeconds >= 1 && snrDb < proofThresholds.snrDb;

interface SpokenFacts {
  /** One of the recordings carries our label, or sounds like something that was spoken here. */
  isOwnSpeech: boolean;
  /** The prompt's reading is itself the voice that is proven: there is nothing to compare it with. */
  isOneReading: boolean;
}

/**
 * The answer to measures of a usable recording. A made voice and a copy are refused first; then the words, which protect
 * against copies that were cut; then the voice.
 */
export function judgeMeasures(measures: ProofMeasures, { isOwnSpeech, isOneReading }: SpokenFacts): ProofVerdict {
  if (isOwnSpeech) return { outcome: "no", reason: "synthetic" };
  if (!isOneReading && isCopy(measures)) return { outcome: "no", reason: "copied" };
  const judged: [ProofFault, ProofAnswer][] = [["words", judgeWords(measures)]];
  if (!isOneReading) judged.push(["speaker", judgeSpeaker(measures)]);
  if ((measures.silence ?? 0) >= proofThresholds.silence) judged.push(["synthetic", "unclear"]);
  for (const outcome of ["no", "unclear"] as const) {
    for (const [reason, answer] of judged) if (answer === outcome) return { outcome, reason };
  }
  return { outcome: "yes", reason: null };
}

function isCopy({ copied }: ProofMeasures): boolean {
  const { identical, alike } = proofThresholds.copied;
  return copied.identical >= identical || copied.alike >= alike;
}

type ProofAnswer = "yes" | "no" | "unclear";

function judgeWords({ words, heard }: ProofMeasures): ProofAnswer {
  const least = heard ? proofThresholds.heard : proofThresholds.words;
  const { all, lines } = heard ?? words;
  if (all < least.no) return "no";
  return all < least.yes || lines.some((line) => line <= least.eachLine) ? "unclear" : "yes";
}

function judgeSpeaker({ speaker, likeness }: ProofMeasures): ProofAnswer {
  const least = likeness === undefined ? proofThresholds.speaker : proofThresholds.likeness;
  const score = likeness ?? speaker;
  if (score === null) return "unclear";
  if (score < least.no) return "no";
  return score < least.yes ? "unclear" : "yes";
}
