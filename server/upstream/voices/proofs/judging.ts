import { sql } from "kysely";
import { proofStatement } from "~server/contract/consent";
import type { PreparedText } from "../../../speech/engine";
import type { MonoSound, ProofMeasures } from "../../../speech/index";
import type { Db } from "../../db/database";
import type { JobHandler } from "../../jobs/handler";
import type { Files, SpeechParts } from "../ports";
import { createPhrase } from "./phrase";
import { findQualityFault, judgeMeasures, type ProofVerdict, proofThresholds } from "./verdict";

export interface SpokenProof {
  recordingId: string;
  spokenId: string;
  /** Words separated by spaces. */
  lines: string[];
}

export interface JudgedProof extends ProofVerdict {
  measures: ProofMeasures | null;
}

/** Judges a spoken proof. Throws where it cannot be measured now. */
export type JudgeProof = (proof: SpokenProof, signal: AbortSignal) => Promise<JudgedProof>;

type ProofSpeech = Pick<
  SpeechParts,
  "inspect" | "measureProof" | "prepareText" | "checkSpeech" | "recogniser" | "speakerVerifier"
>;

interface JudgeParts {
  db: Db;
  files: Pick<Files, "read">;
  speech: ProofSpeech;
  /** Whether a file carries our label, or sounds like something that was spoken here. */
  isOwnSpeech(bytes: Uint8Array, signal: AbortSignal): Promise<boolean>;
}

export function createProofJudge(parts: JudgeParts): JudgeProof {
  const { db, files, speech, isOwnSpeech } = parts;

  const readSound = async (id: string, signal: AbortSignal) => {
    const recording = db.selectFrom("recording").select("file_id").where("id", "=", id);
    const bytes = await files.read((await recording.executeTakeFirstOrThrow()).file_id);
    return { bytes, ...(await speech.inspect(bytes, signal)) };
  };

  return async ({ recordingId, spokenId, lines }, signal) => {
    const spoken = await readSound(spokenId, signal);
    const fault = findQualityFault(spoken.quality);
    if (fault) return { outcome: "unusable", reason: fault, measures: null } as const;
    const isOneReading = recordingId === spokenId;
    const reference = isOneReading ? spoken : await readSound(recordingId, signal);
    const [statement, ...texts] = await Promise.all(
      [proofStatement.text, ...lines.map((words) => words.replaceAll(" ", ""))].map((text) => speech.prepareText(text)),
    );
    if (!statement) throw new Error("no statement");
    const decoys = await Promise.all(decoyLines.map((text) => speech.prepareText(text)));
    const sounds = { reference, spoken };
    const findOwnSpeech = async () =>
      (await isOwnSpeech(spoken.bytes, signal)) || (!isOneReading && (await isOwnSpeech(reference.bytes, signal)));
    // Run at the same time: both take seconds, in separate speech processes.
    const [own, isOurs] = await Promise.all([
      speech.measureProof({ ...sounds, statement, lines: texts, decoys }, signal),
      findOwnSpeech(),
    ]);
    const measures = {
      ...own,
      ...(await measureByModels(speech, { ...sounds, lines, versions: own.versions }, signal)),
    };
    const late = findQualityFault(spoken.quality, measures.highBandDb);
    if (late) return { outcome: "unusable", reason: late, measures } as const;
    return { ...judgeMeasures(measures, { isOwnSpeech: isOurs, isOneReading }), measures };
  };
}

interface SpokenSounds {
  reference: MonoSound;
  spoken: MonoSound;
  lines: string[];
  versions: ProofMeasures["versions"];
}

/** Measures of installed models; they replace ours in the verdict. Empty if there is none, or if it fails. */
async function measureByModels(
  { checkSpeech, prepareText, recogniser, speakerVerifier }: ProofSpeech,
  { reference, spoken, lines, versions }: SpokenSounds,
  signal: AbortSignal,
): Promise<Partial<ProofMeasures>> {
  const texts = [proofStatement.text, ...lines.map((words) => `${words.replaceAll(" ", "")}。`)];
  const listen = async (text: PreparedText) => {
    const pcm = Int16Array.from(spoken.samples, (value) => Math.round(value * 32_767));
    return checkSpeech?.([{ pcm, sampleRate: spoken.sampleRate }], text, signal);
  };
  const compare = async (verifier: NonNullable<typeof speakerVerifier>) =>
    cosineOf(await verifier.embed(reference, signal), await verifier.embed(spoken, signal));
  const [doubts, likeness] = await Promise.all([
    listen(await prepareText(texts.join(""))).catch(() => undefined),
    speakerVerifier && compare(speakerVerifier).catch(() => undefined),
  ]);
  return {
    ...(doubts && { heard: sharesHeard(texts, doubts) }),
    ...(likeness !== undefined && { likeness }),
    versions: {
      ...versions,
      ...(doubts && recogniser && { heard: recogniser.id }),
      ...(likeness !== undefined && speakerVerifier && { likeness: speakerVerifier.id }),
    },
  };
}

type Doubts = Awaited<ReturnType<NonNullable<ProofSpeech["checkSpeech"]>>>;

function sharesHeard(texts: string[], doubts: Doubts): { all: number; lines: number[] } {
  let end = 0;
  const parts = texts.map((text) => {
    const start = end;
    end += text.length;
    const inside = doubts.filter(({ kind, offset }) => kind !== "added" && offset >= start && offset < end);
    return { syllables: text.replace(/[，。]/g, "").length, doubts: inside.length };
  });
  const shareOf = (counted: typeof parts) => {
    const syllables = counted.reduce((sum, part) => sum + part.syllables, 0);
    return 1 - counted.reduce((sum, part) => sum + part.doubts, 0) / syllables;
  };
  return { all: shareOf(parts), lines: parts.slice(1).map((part) => shareOf([part])) };
}

function cosineOf(a: Float32Array, b: Float32Array): number {
  const dot = (x: Float32Array, y: Float32Array) => x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b) || 1);
}

/** The same in every proof, so that a speech process reads them once. */
const decoyLines = createDecoys(20);

function createDecoys(count: number): string[] {
  let seed = 1;
  const pick = (below: number) => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed % below;
  };
  const phrases = Array.from({ length: Math.ceil(count / 2) }, () => createPhrase("", pick));
  return phrases.flat().map((words) => words.join(""));
}

interface JudgingParts {
  db: Db;
  judge: JudgeProof;
  /** Records what a yes to a link's prompt means, in its transaction. */
  recordConsents(trx: Db): Promise<void>;
}

/** A measurement takes seconds of processor time; beyond this, something hangs. */
const attemptMs = 180_000;

/**
 * Judges a submitted proof. A worker that dies is followed by another one; the last failure ends the proof without a
 * counted try. A proof that was ended meanwhile, by a refused link for example, keeps its end.
 */
export function createJudgingJob({ db, judge, recordConsents }: JudgingParts): JobHandler<{ id: string }> {
  return {
    async run({ id }, { signal }) {
      const proof = await findOpen(db, id);
      if (!proof) return undefined;
      const { recordingId, spokenId, lines } = proof;
      if (!spokenId || !recordingId)
        return { write: async (trx) => void (await end(trx, id, { outcome: "unusable" })) };
      const verdict = await judge(
        { recordingId, spokenId, lines },
        AbortSignal.any([signal, AbortSignal.timeout(attemptMs)]),
      );
      const { outcome, reason, measures } = verdict;
      const figures = measures && JSON.stringify({ ...measures, thresholds: proofThresholds });
      return {
        facts: { outcome, reason },
        async write(trx) {
          const isJudged = await end(trx, id, { outcome, reason, measures: figures });
          if (isJudged && outcome === "yes") await recordConsents(trx);
        },
      };
    },
    async failed(trx, { id }) {
      await end(trx, id, { outcome: "unusable" });
    },
  };
}

/** `spokenId` is null if the recording was deleted. */
const findOpen = (db: Db, id: string) =>
  db
    .selectFrom("voice_proof")
    .select(["recording_id as recordingId", "spoken_id as spokenId", "lines"])
    .where("id", "=", id)
    .where("outcome", "is", null)
    .executeTakeFirst();

interface End {
  outcome: "yes" | "no" | "unclear" | "unusable";
  reason?: string | null;
  measures?: string | null;
}

async function end(trx: Db, id: string, result: End): Promise<boolean> {
  const judged = trx.updateTable("voice_proof").set({ ...result, decided_at: sql<Date>`now()` });
  const ended = await judged.where("id", "=", id).where("outcome", "is", null).returning("id").executeTakeFirst();
  return ended !== undefined;
}
