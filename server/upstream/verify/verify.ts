import { readFile } from "node:fs/promises";
import { sql } from "kysely";
import type { CallData } from "~server/contract/calls/table";
import type { Db } from "../db/database";
import { AppError } from "../errors";
import type { AigcLabel } from "../media/label/content";
import type { HeardPrint, SpeechParts } from "../voices/ports";
import { activeFramesOf } from "./likeness";
import type { Prints } from "./prints";
import { createRecognition, type Upload } from "./recognition";
import { enoughFrames, judge, type Verdict } from "./verdict";

type Verified = CallData<"verify">;

export interface Verify {
  /**
   * Whether a file holds speech of ours, by its label and by its sound. Throws reference-not-audio for what is no audio at
   * all, and timeout; what cannot be decoded or compared is "cannot tell", never "no".
   */
  verify(upload: { path: string }, signal: AbortSignal): Promise<Verified>;
}

interface VerifyParts {
  db: Db;
  prints: Prints;
  /** Every AI-content label of a WAV or MP3. */
  readLabels(bytes: Uint8Array): Promise<Array<AigcLabel | "damaged">>;
  speech: Pick<SpeechParts, "hear" | "hearAltered">;
  /** Files in memory at a time. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
}

/** What a label's number was given to. */
interface Content {
  contentId: string;
  generatedAt: string;
  fingerprintId: number | null;
}

const shanghaiTime = sql<string>`to_char(created_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD"T"HH24:MI:SS"+08:00"')`;

export function createVerify({ db, prints, readLabels, speech, inTurn }: VerifyParts): Verify {
  const contents = () =>
    db
      .selectFrom("content")
      .select(["content_id as contentId", "fingerprint_id as fingerprintId", shanghaiTime.as("generatedAt")]);

  /** The first time this sound was made. */
  const contentOf = (fingerprintId: number): Promise<Content | undefined> =>
    contents()
      .where("fingerprint_id", "=", fingerprintId)
      .orderBy("created_at")
      .orderBy("content_id")
      .limit(1)
      .executeTakeFirst();

  /** False while something that can still be had is not remembered: nobody can say then that a sound is none of ours. */
  const knowsAll = async () =>
    (await db
      .selectFrom("content")
      .innerJoin("media_file", "media_file.produce_id", "content.content_id")
      .select("content_id")
      .where("fingerprint_id", "is", null)
      .limit(1)
      .executeTakeFirst()) === undefined;

  /** By the label alone where the sound cannot be compared; "other" where it is plainly not what the label was given to. */
  const judgeLabel = async ({ fingerprintId }: Content, heard: HeardPrint | null): Promise<Verdict> => {
    if (fingerprintId === null || heard === null || activeFramesOf(heard) < enoughFrames) return "ours";
    return judge(await prints.search(heard, fingerprintId), activeFramesOf(heard));
  };

  const recognize = createRecognition({ prints, speech });
  const bySound = async (upload: Upload, signal: AbortSignal): Promise<Pick<Verified, "ours"> & Partial<Content>> => {
    const { verdict, match } = await recognize(upload, signal);
    if (verdict === "ours" && match) return { ours: true, ...(await contentOf(match.fingerprintId)) };
    return { ours: verdict === "other" && (await knowsAll()) ? false : null };
  };

  const examine = async (bytes: Uint8Array, signal: AbortSignal): Promise<Verified> => {
    const labels = await readLabels(bytes);
    const labelled = labelledBy(labels, bytes);
    const ids = labels.flatMap((label) => (label === "damaged" ? [] : [label.ProduceID]));
    const content = ids.length > 0 ? await contents().where("content_id", "in", ids).executeTakeFirst() : undefined;
    const heard = await hear(speech, bytes, signal);
    const onLabel = content && (await judgeLabel(content, heard));
    if (content && onLabel !== "other") return { ours: true, labelled, ...told(content), by: "label" };
    const { ours, ...found } = heard ? await bySound({ bytes, heard }, signal) : { ours: null };
    if (ours) return { ours, labelled, ...told(found), by: "fingerprint" };
    // A label of ours on another sound is borrowed, and a damaged one may have been ours; what it was taken from stands nowhere.
    const isDoubtful = content !== undefined || labels.includes("damaged");
    return { ours: isDoubtful ? null : ours, labelled, ...told({}), by: null };
  };

  return {
    verify: ({ path }, signal) =>
      inTurn(async () => {
        signal.throwIfAborted();
        return examine(await readFile(path), signal);
      }).catch((cause: unknown) => {
        if (signal.aborted) throw new AppError("timeout", "verifying takes too long", { status: 504, cause });
        throw cause;
      }),
  };
}

const told = ({ generatedAt = "", contentId = "" }: Partial<Content>) => ({ generatedAt, contentId });

/** Null where a label cannot be read, or the file is of a kind whose labels are not read here. */
function labelledBy(labels: Array<AigcLabel | "damaged">, bytes: Uint8Array): boolean | null {
  if (labels.some((label) => label !== "damaged" && label.Label === "1")) return true;
  if (labels.length > 0) return null;
  const head = Buffer.from(bytes.subarray(0, 4)).toString("latin1");
  const isMpeg = bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0;
  return head === "RIFF" || head.startsWith("ID3") || isMpeg ? false : null;
}

/** Null for audio that cannot be decoded here, is damaged or too long. */
async function hear(speech: VerifyParts["speech"], bytes: Uint8Array, signal: AbortSignal): Promise<HeardPrint | null> {
  try {
    return await speech.hear(bytes, signal);
  } catch (error) {
    const isReference = error instanceof Error && "fault" in error && error.fault === "reference";
    if (!isReference) throw error;
    if (error.message === "not-audio") throw new AppError("reference-not-audio", "no audio", { cause: error });
    return null;
  }
}
