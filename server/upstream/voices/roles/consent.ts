import { consentStatements } from "~server/contract/consent";
import { type RecordingQuality, recordingLimits } from "~server/contract/recording/quality";
import type { Db } from "../../db/database";
import { AppError } from "../../errors";
import type { AccountOwner, RoleParts } from "./parts";

/** What somebody agreed to: the statement shown to them, read aloud where there is a recording, else confirmed. */
export interface Consent {
  statementId: string;
  voicePath?: string | undefined;
}

interface Given {
  statement_id: string;
  statement_version: number;
  statement_sha256: string;
  recording_id: string | null;
}

const missing = (why: string) => new AppError("consent-missing", why);

/** The consent as it is kept. Throws `consent-missing` for none, an unknown statement, and a recording that is not the owner's or of nobody speaking. */
export async function requireConsent(
  trx: Db,
  { recordings }: Pick<RoleParts, "recordings">,
  { owner, consent }: { owner: AccountOwner; consent: Consent | undefined },
): Promise<Given> {
  const statement = consentStatements.find(({ id }) => id === consent?.statementId);
  if (!consent || !statement) throw missing("no statement, or an unknown one");
  const agreed = {
    statement_id: statement.id,
    statement_version: statement.version,
    statement_sha256: statement.sha256,
  };
  if (!consent.voicePath) return { ...agreed, recording_id: null };
  const recording_id = await recordings.findId(owner, consent.voicePath, trx);
  if (!recording_id || !(await isSpoken(trx, recording_id))) throw missing("not read aloud in an own recording");
  return { ...agreed, recording_id };
}

async function isSpoken(trx: Db, id: string): Promise<boolean> {
  const row = await trx.selectFrom("recording").select("quality").where("id", "=", id).executeTakeFirst();
  const quality = row?.quality as RecordingQuality | undefined;
  if (!quality || quality.verdict === "refused") return false;
  return quality.speechSeconds >= recordingLimits.minSpeechSeconds;
}
