import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import pLimit from "p-limit";
import type { CallData } from "~server/contract/calls/table";
import type { HeardFile, HeardPrint } from "../../speech/index";
import type { Db } from "../db/database";
import { AppError } from "../errors";
import type { AigcLabel } from "../media/label/content";
import { shanghaiTime } from "../sql-fragments";
import type { SpeechParts } from "../voices/ports";
import { createFairLimit } from "./fair-limit";
import { activeFramesOf } from "./likeness";
import type { Prints } from "./prints";
import { createRecognition, judgeLabelled, type Verdict } from "./recognition";
import type { SignatureVerdict } from "./signatures";

type Verified = CallData<"verify">;

/**
 * Whether a file contains speech of this product, by its label and its sound; `ours` is null, never false, where the file
 * cannot be decoded or compared. Throws reference-not-audio for a file that is no audio, timeout, and too-many.
 */
type VerifyFile = (path: string, signal: AbortSignal) => Promise<Verified>;

export type Verify = ReturnType<typeof createVerify>;

interface VerifyParts {
  db: Db;
  prints: Prints;
  /** Every AI-content label of a sound or film. */
  readLabels(bytes: Uint8Array): Promise<Array<AigcLabel | "damaged">>;
  /** Tells whose label it is, and whether it is unchanged since it was signed. */
  judgeLabel(label: AigcLabel): Promise<SignatureVerdict>;
  /** Null for a file that is no receipt. */
  judgeReceipt(bytes: Uint8Array): Promise<Verified["receipt"]>;
  speech: Pick<SpeechParts, "hear" | "hearAltered">;
  /** The sound of a film as WAV; null if it is no film, or nothing here decodes it. */
  decodeSoundTrack(file: { path: string; bytes: Uint8Array }, signal: AbortSignal): Promise<Uint8Array | null>;
}

/** The content that a label names. */
interface Content {
  contentId: string;
  generatedAt: string;
  fingerprintId: number | null;
  /** Its sound was made here alone. */
  isEvidence: boolean;
}

/**
 * Limits the files of up to 50 MB in memory, and what one caller takes of them. One speech process is left to speech and
 * proofs, where there are several.
 */
const files = { concurrency: Math.min(2, Math.max(1, availableParallelism() - 1)), callerMax: 8, totalMax: 32 };
/** Proofs have their own, so that callers of `verify` do not delay them. */
const concurrentProofs = 1;

export function createVerify(parts: VerifyParts) {
  const { db, prints, readLabels, judgeReceipt, speech, decodeSoundTrack } = parts;
  const admit = createFairLimit(files);
  const limitProofs = pLimit(concurrentProofs);
  /** The first content with this sound. */
  const contentOf = (fingerprintId: number): Promise<Content | undefined> =>
    selectContents(db)
      .where("fingerprint_id", "=", fingerprintId)
      .orderBy("created_at")
      .orderBy("content_id")
      .limit(1)
      .executeTakeFirst();

  /** Whether the sound agrees with the content that its label names; "unclear" where they cannot be compared. */
  const judgeContent = async (content: Content, heard: HeardPrint | null): Promise<Verdict> => {
    const { fingerprintId, isEvidence } = content;
    if (fingerprintId === null || heard === null || !isEvidence) return "unclear";
    const likeness = await prints.compare(heard, fingerprintId);
    return judgeLabelled(likeness, activeFramesOf(heard));
  };

  const recognize = createRecognition({ prints, speech });
  const bySound = async (file: HeardFile, signal: AbortSignal): Promise<Pick<Verified, "ours"> & Partial<Content>> => {
    const { verdict, match } = await recognize(file, signal);
    if (verdict === "ours" && match) return { ours: true, ...(await contentOf(match.fingerprintId)) };
    return { ours: verdict === "other" && (await hasAllPrints(db)) ? false : null };
  };

  /** `sound`: of a film, whose labels are in the file around it. */
  const examine = async (
    file: Uint8Array,
    signal: AbortSignal,
    sound?: Uint8Array | null,
  ): Promise<Omit<Verified, "receipt">> => {
    const labels = await readLabels(file);
    const labelled = labelledBy(labels, file);
    const { content, isNamed, signature } = await readSigned(parts, labels);
    const bytes = sound ?? file;
    const heard = await hear(speech, bytes, signal);
    const onLabel = content && (await judgeContent(content, heard));
    if (content && onLabel === "ours") return { ours: true, labelled, ...toAnswer(content), by: "label", signature };
    const { ours, ...found } = heard ? await bySound(heard, signal) : { ours: null };
    if (ours) return { ours, labelled, ...toAnswer(found), by: "fingerprint", signature };
    // A copied or changed label of ours on another sound, or a damaged label that may be ours: unclear.
    const isDoubtful = isNamed || signature === "valid" || signature === "changed" || labels.includes("damaged");
    return { ours: isDoubtful ? null : ours, labelled, ...toAnswer({}), by: null, signature };
  };

  const verifyFile: VerifyFile = async (path, signal) => {
    signal.throwIfAborted();
    const bytes = await readFile(path);
    const receipt = await judgeReceipt(bytes);
    if (receipt) return { ...undecided, receipt };
    return { ...(await examine(bytes, signal, await decodeSoundTrack({ path, bytes }, signal))), receipt };
  };

  return {
    /** Whether a recording is known to be this product's speech; false if that is not clear. */
    isOwnSpeech: (bytes: Uint8Array, signal: AbortSignal): Promise<boolean> =>
      limitProofs(async () => (await examine(bytes, signal)).ours === true),
    /** Lets `receive` take a caller's file. Throws too-many, before it does, for a caller with several files here. */
    verify: (caller: string, receive: (verify: VerifyFile) => Promise<Verified>): Promise<Verified> =>
      admit(caller, (run) =>
        receive((path, signal) =>
          run(() => verifyFile(path, signal)).catch((cause: unknown) => {
            if (signal.aborted) throw new AppError("timeout", "verification took too long", { status: 504, cause });
            throw cause;
          }),
        ),
      ),
  };
}

const selectContents = (db: Db) =>
  db
    .selectFrom("content")
    .select([
      "content_id as contentId",
      "fingerprint_id as fingerprintId",
      "is_evidence as isEvidence",
      shanghaiTime("created_at").as("generatedAt"),
    ]);

/** Labels were not signed before the first key. */
async function isOlderThanSignatures(db: Db, { createdAt }: { createdAt: Date }) {
  const first = db.selectFrom("signing_key").select(({ fn }) => fn.min("created_at").as("at"));
  const { at } = await first.executeTakeFirstOrThrow();
  return at !== null && createdAt < at;
}

/** The content that a label names, if its signature is valid or it is older than signatures, and the label's signature. */
async function readSigned(
  { db, judgeLabel }: Pick<VerifyParts, "db" | "judgeLabel">,
  labels: Array<AigcLabel | "damaged">,
) {
  const read = labels.filter((label) => label !== "damaged");
  const judged = await Promise.all(read.map(async (label) => ({ label, signature: await judgeLabel(label) })));
  let isNamed = false;
  for (const { label, signature } of judged) {
    if (signature === "changed" || signature === "foreign") continue;
    const named = selectContents(db).select("created_at as createdAt").where("content_id", "=", label.ProduceID);
    const content = await named.executeTakeFirst();
    if (!content) continue;
    isNamed = true;
    if (signature === "valid" || (await isOlderThanSignatures(db, content))) return { content, isNamed, signature };
  }
  return { content: undefined, isNamed, signature: judged[0]?.signature ?? null };
}

/** False while an existing file has no fingerprint: no sound can be called another's then. */
async function hasAllPrints(db: Db): Promise<boolean> {
  const lacking = db
    .selectFrom("content")
    .innerJoin("media_file", "media_file.produce_id", "content.content_id")
    .select("content_id")
    .where("fingerprint_id", "is", null);
  return (await lacking.limit(1).executeTakeFirst()) === undefined;
}

const undecided = { ours: null, labelled: null, generatedAt: "", contentId: "", by: null, signature: null };

const toAnswer = ({ generatedAt = "", contentId = "" }: Partial<Content>) => ({ generatedAt, contentId });

/** Null where a label cannot be read, or for file formats without label support. */
function labelledBy(labels: Array<AigcLabel | "damaged">, bytes: Uint8Array): boolean | null {
  if (labels.some((label) => label !== "damaged" && label.Label === "1")) return true;
  if (labels.length > 0) return null;
  const head = Buffer.from(bytes.subarray(0, 4)).toString("latin1");
  const isMpeg = bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0;
  const isFilm = head === "\x1a\x45\xdf\xa3" || Buffer.from(bytes.subarray(4, 8)).toString("latin1") === "ftyp";
  return ["RIFF", "fLaC"].includes(head) || head.startsWith("ID3") || isMpeg || isFilm ? false : null;
}

/** Null for audio that is damaged, too long, or of an unsupported format. */
async function hear(speech: VerifyParts["speech"], bytes: Uint8Array, signal: AbortSignal): Promise<HeardFile | null> {
  try {
    return await speech.hear(bytes, signal);
  } catch (error) {
    const isReference = error instanceof Error && "fault" in error && error.fault === "reference";
    if (!isReference) throw error;
    if (error.message === "not-audio") throw new AppError("reference-not-audio", "no audio", { cause: error });
    return null;
  }
}
